/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package org.apache.paimon.blobfallback;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.net.URI;

/** Each package of the plugin knows only those under it, and no library but the host. */
@AnalyzeClasses(
        packages = ArchitectureTest.PLUGIN,
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    static final String PLUGIN = "org.apache.paimon.blobfallback";

    private static final String FLINK = PLUGIN + ".flink..";

    /** The options are plain constants that every package reads. */
    private static final DescribedPredicate<JavaClass> OPTIONS =
            DescribedPredicate.describe(
                    "the options",
                    javaClass -> javaClass.getName().equals(BlobFallbackOptions.class.getName()));

    @ArchTest
    static final ArchRule DEPENDENCIES_POINT_DOWN =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage(PLUGIN + "..")
                    .layer("api")
                    .definedBy(resideInAPackage(PLUGIN).and(not(OPTIONS)))
                    .layer("catalog")
                    .definedBy(PLUGIN + ".catalog..")
                    .layer("inspect")
                    .definedBy(PLUGIN + ".inspect..")
                    .layer("table")
                    .definedBy(PLUGIN + ".table..")
                    .layer("read")
                    .definedBy(PLUGIN + ".read..")
                    .layer("update")
                    .definedBy(PLUGIN + ".update..")
                    .layer("format")
                    .definedBy(PLUGIN + ".format..")
                    .layer("host")
                    .definedBy(PLUGIN + ".host..")
                    .layer("flink")
                    .definedBy(PLUGIN + ".flink..")
                    .whereLayer("flink")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("api")
                    .mayOnlyBeAccessedByLayers("flink")
                    .whereLayer("catalog")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("inspect")
                    .mayOnlyBeAccessedByLayers("catalog", "api")
                    .whereLayer("table")
                    .mayOnlyBeAccessedByLayers("catalog", "api")
                    .whereLayer("update")
                    .mayOnlyBeAccessedByLayers("api", "flink")
                    .whereLayer("read")
                    .mayOnlyBeAccessedByLayers("table", "inspect", "update")
                    .whereLayer("format")
                    .mayOnlyBeAccessedByLayers("read", "update", "table", "inspect", "catalog")
                    .whereLayer("host")
                    .mayOnlyBeAccessedByLayers("api", "catalog", "format");

    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLE =
            SlicesRuleDefinition.slices().matching(PLUGIN + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NOTHING_BUT_THE_HOST_AND_THE_JDK_IS_USED =
            classes()
                    .that()
                    .resideOutsideOfPackage(FLINK)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                            "java..",
                                            "javax.annotation..",
                                            "org.apache.paimon..",
                                            "org.slf4j..")
                                    .and(not(resideInAPackage("org.apache.paimon.flink.."))));

    @ArchTest
    static final ArchRule THE_PROCEDURES_ALONE_USE_FLINK =
            classes()
                    .that()
                    .resideInAPackage(FLINK)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                    "java..",
                                    "javax.annotation..",
                                    "org.apache.flink..",
                                    "org.apache.paimon..",
                                    "org.slf4j.."));

    /** What a table's metadata names is opened by the table's own FileIO or not at all. */
    @ArchTest
    static final ArchRule FILES_ARE_REACHED_THROUGH_THE_HOST_ALONE =
            noClasses()
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                            "java.nio.file..", "java.nio.channels..", "java.net..")
                                    // A name, which opens nothing.
                                    .and(not(type(URI.class)))
                                    .or(type(File.class))
                                    .or(type(FileInputStream.class))
                                    .or(type(FileOutputStream.class))
                                    .or(type(RandomAccessFile.class))
                                    .or(type(ProcessBuilder.class)));
}
