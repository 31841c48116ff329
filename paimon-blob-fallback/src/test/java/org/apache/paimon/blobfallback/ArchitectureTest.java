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
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
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
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Each package of the plugin depends only on those below it, and on no library except the host. */
@AnalyzeClasses(
        packages = ArchitectureTest.PLUGIN,
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    static final String PLUGIN = "org.apache.paimon.blobfallback";

    private static final int MAX_CLASSES = 15;

    private static final String FORMAT = PLUGIN + ".format";
    private static final String READ = PLUGIN + ".read";
    private static final String FLINK = PLUGIN + ".flink..";
    private static final String SPARK = PLUGIN + ".spark..";

    @ArchTest
    static final ArchRule DEPENDENCIES_POINT_DOWN =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage(PLUGIN + "..")
                    .layer("api")
                    .definedBy(PLUGIN)
                    .layer("catalog")
                    .definedBy(PLUGIN + ".catalog..")
                    .layer("inspect")
                    .definedBy(PLUGIN + ".inspect..")
                    .layer("table")
                    .definedBy(PLUGIN + ".table..")
                    .layer("plan")
                    .definedBy(PLUGIN + ".plan..")
                    .layer("read")
                    .definedBy(PLUGIN + ".read..")
                    .layer("update")
                    .definedBy(PLUGIN + ".update..")
                    .layer("serve")
                    .definedBy(PLUGIN + ".serve..")
                    .layer("flatten")
                    .definedBy(PLUGIN + ".flatten..")
                    .layer("write")
                    .definedBy(PLUGIN + ".write..")
                    .layer("layers")
                    .definedBy(PLUGIN + ".layers..")
                    .layer("format")
                    .definedBy(PLUGIN + ".format..")
                    .layer("host")
                    .definedBy(PLUGIN + ".host..")
                    .layer("options")
                    .definedBy(PLUGIN + ".options..")
                    .layer("engine")
                    .definedBy(PLUGIN + ".engine..")
                    .layer("flink")
                    .definedBy(PLUGIN + ".flink..")
                    .layer("spark")
                    .definedBy(SPARK)
                    .whereLayer("engine")
                    .mayOnlyBeAccessedByLayers("flink", "spark")
                    .whereLayer("flink")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("spark")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("api")
                    .mayOnlyBeAccessedByLayers("flink", "spark")
                    .whereLayer("catalog")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("inspect")
                    .mayOnlyBeAccessedByLayers("catalog", "api")
                    .whereLayer("table")
                    .mayOnlyBeAccessedByLayers("catalog", "api")
                    .whereLayer("plan")
                    .mayOnlyBeAccessedByLayers("table")
                    .whereLayer("update")
                    .mayOnlyBeAccessedByLayers("api", "engine", "flink", "spark")
                    .whereLayer("serve")
                    .mayOnlyBeAccessedByLayers("api")
                    .whereLayer("flatten")
                    .mayOnlyBeAccessedByLayers("update")
                    .whereLayer("write")
                    .mayOnlyBeAccessedByLayers("update", "flatten", "serve")
                    .whereLayer("read")
                    .mayOnlyBeAccessedByLayers(
                            "table", "inspect", "update", "flatten", "plan", "serve")
                    .whereLayer("layers")
                    .mayOnlyBeAccessedByLayers(
                            "plan", "read", "update", "flatten", "write", "inspect", "serve")
                    .whereLayer("format")
                    .mayOnlyBeAccessedByLayers(
                            "layers", "read", "update", "flatten", "write", "table", "plan",
                            "inspect", "catalog", "flink", "spark", "serve")
                    .whereLayer("host")
                    .mayOnlyBeAccessedByLayers(
                            "api", "catalog", "inspect", "table", "plan", "read", "update",
                            "flatten", "write", "format", "flink", "spark", "serve")
                    .whereLayer("options")
                    .mayNotAccessAnyLayer();

    /** A larger package must say why, and hide all but what its users name. */
    @ArchTest
    static void packagesFitOnAScreen(JavaClasses classes) {
        Map<String, List<JavaClass>> packages = new TreeMap<>();
        for (JavaClass plugin : classes) {
            if (plugin.getEnclosingClass().isEmpty() && !isPackageInfo(plugin)) {
                packages.computeIfAbsent(plugin.getPackageName(), any -> new ArrayList<>())
                        .add(plugin);
            }
        }
        Map<String, List<String>> publicOfLarge = new TreeMap<>();
        packages.forEach(
                (name, members) -> {
                    if (members.size() > MAX_CLASSES) {
                        publicOfLarge.put(name, namesOfPublic(members));
                    }
                });

        assertThat(packages).hasSizeGreaterThan(20);
        assertThat(publicOfLarge)
                .isEqualTo(
                        Map.of(
                                PLUGIN + ".flink",
                                List.of("FlattenBlobLayersProcedure", "UpdateBlobsProcedure"),
                                PLUGIN + ".spark",
                                List.of(
                                        "BlobFallbackSparkExtensions",
                                        "FlattenBlobLayers",
                                        "FlattenResult",
                                        "UpdateBlobs",
                                        "UpdateResult")));
    }

    private static boolean isPackageInfo(JavaClass plugin) {
        return plugin.getSimpleName().equals("package-info");
    }

    private static List<String> namesOfPublic(List<JavaClass> classes) {
        return classes.stream()
                .filter(plugin -> plugin.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getSimpleName)
                .sorted()
                .toList();
    }

    @ArchTest
    static final ArchRule PACKAGES_FORM_NO_CYCLE =
            SlicesRuleDefinition.slices().matching(PLUGIN + ".(*)..").should().beFreeOfCycles();

    /** The root of the format is below all of them, the package of files above all of them. */
    @ArchTest
    static final ArchRule PARTS_OF_THE_FORMAT_POINT_DOWN =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage(FORMAT + "..")
                    .layer("file")
                    .definedBy(FORMAT + ".file..")
                    .layer("column")
                    .definedBy(FORMAT + ".column..")
                    .layer("entry")
                    .definedBy(FORMAT + ".entry..")
                    .layer("index")
                    .definedBy(FORMAT + ".index..")
                    .layer("io")
                    .definedBy(FORMAT + ".io..")
                    .layer("layout")
                    .definedBy(FORMAT)
                    .ensureAllClassesAreContainedInArchitectureIgnoring(
                            not(resideInAPackage(FORMAT + "..")))
                    .whereLayer("file")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("column")
                    .mayOnlyBeAccessedByLayers("file")
                    .whereLayer("entry")
                    .mayOnlyBeAccessedByLayers("file", "column")
                    .whereLayer("index")
                    .mayOnlyBeAccessedByLayers("file", "column", "entry")
                    .whereLayer("io")
                    .mayOnlyBeAccessedByLayers("file", "column", "entry", "index")
                    .whereLayer("layout")
                    .mayOnlyBeAccessedByLayers("file", "column", "entry", "index", "io");

    /** The root of the read uses all of them. */
    @ArchTest
    static final ArchRule PARTS_OF_THE_READ_POINT_DOWN =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage(READ + "..")
                    .layer("splits")
                    .definedBy(READ)
                    .layer("blobs")
                    .definedBy(READ + ".blobs..")
                    .layer("view")
                    .definedBy(READ + ".view..")
                    .layer("filter")
                    .definedBy(READ + ".filter..")
                    .layer("rows")
                    .definedBy(READ + ".rows..")
                    .ensureAllClassesAreContainedInArchitectureIgnoring(
                            not(resideInAPackage(READ + "..")))
                    .whereLayer("splits")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("blobs")
                    .mayOnlyBeAccessedByLayers("splits")
                    .whereLayer("view")
                    .mayOnlyBeAccessedByLayers("splits")
                    .whereLayer("filter")
                    .mayOnlyBeAccessedByLayers("splits")
                    .whereLayer("rows")
                    .mayOnlyBeAccessedByLayers("splits", "blobs", "filter");

    @ArchTest
    static final ArchRule NOTHING_BUT_THE_HOST_AND_THE_JDK_IS_USED =
            classes()
                    .that()
                    .resideOutsideOfPackages(FLINK, SPARK)
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

    /** Spark's Java API, and the parts of Scala that a session extension needs. */
    @ArchTest
    static final ArchRule THE_PACKAGE_SPARK_ALONE_USES_SPARK =
            classes()
                    .that()
                    .resideInAPackage(SPARK)
                    .should()
                    .onlyDependOnClassesThat(
                            resideInAnyPackage(
                                            "java..",
                                            "javax.annotation..",
                                            "org.apache.spark..",
                                            "scala",
                                            "scala.collection..",
                                            "scala.runtime",
                                            "org.apache.paimon..",
                                            "org.slf4j..")
                                    .and(not(resideInAPackage("org.apache.paimon.flink.."))));

    /** Files in a table's metadata are opened only with the table's own FileIO. */
    @ArchTest
    static final ArchRule FILES_ARE_REACHED_THROUGH_THE_HOST_ALONE =
            noClasses()
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                            "java.nio.file..", "java.nio.channels..", "java.net..")
                                    // A name and two failures, which open nothing.
                                    .and(not(type(URI.class)))
                                    .and(not(type(NoSuchFileException.class)))
                                    .and(not(type(ClosedByInterruptException.class)))
                                    .or(type(File.class))
                                    .or(type(FileInputStream.class))
                                    .or(type(FileOutputStream.class))
                                    .or(type(RandomAccessFile.class))
                                    .or(type(ProcessBuilder.class)));
}
