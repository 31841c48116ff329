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

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.paimon.annotation.Public;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a version number promises: the classes with the host's annotation {@link Public}. */
class PublicApiTest {

    private static final Path RECORDED = Path.of("src/test/resources/public-api.txt");

    private static JavaClasses plugin;

    @BeforeAll
    static void importClasses() {
        plugin =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(ArchitectureTest.PLUGIN);
    }

    /**
     * {@code -Ddocs.write=true} records the API again; removing a line needs a new major version.
     */
    @Test
    void theApiIsTheRecordedOne() throws IOException {
        List<String> api = new ArrayList<>();
        for (JavaClass publicClass : publicClasses()) {
            api.add(publicClass.getName());
            new TreeSet<>(
                            callable(publicClass).stream()
                                    .map(PublicApiTest::signature)
                                    .collect(Collectors.toSet()))
                    .forEach(member -> api.add("  " + member));
        }
        if (Boolean.getBoolean("docs.write")) {
            Files.write(RECORDED, api);
        }

        assertThat(api).hasSizeGreaterThan(50).isEqualTo(Files.readAllLines(RECORDED));
    }

    @Test
    void theApiHandsOutNothingThatIsNotPartOfIt() {
        Set<String> strangers = new TreeSet<>();
        for (JavaClass publicClass : publicClasses()) {
            for (JavaMember member : callable(publicClass)) {
                for (JavaClass used : member.getAllInvolvedRawTypes()) {
                    if (plugin.contain(used.getName()) && !used.isAnnotatedWith(Public.class)) {
                        strangers.add(signature(member) + " needs " + used.getName());
                    }
                }
            }
        }

        assertThat(strangers).isEmpty();
    }

    private static List<JavaClass> publicClasses() {
        return plugin.stream()
                .filter(javaClass -> javaClass.isAnnotatedWith(Public.class))
                .sorted((left, right) -> left.getName().compareTo(right.getName()))
                .toList();
    }

    /** The members that a caller outside of the plugin can use. */
    private static List<JavaMember> callable(JavaClass javaClass) {
        return javaClass.getMembers().stream()
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(member -> !member.getModifiers().contains(JavaModifier.SYNTHETIC))
                .toList();
    }

    private static String signature(JavaMember member) {
        if (member instanceof JavaCodeUnit) {
            JavaCodeUnit unit = (JavaCodeUnit) member;
            return String.format(
                    "%s %s(%s)",
                    unit.getReturnType().getName(),
                    unit.getName(),
                    unit.getParameterTypes().stream()
                            .map(type -> type.getName())
                            .collect(Collectors.joining(", ")));
        }
        return member.getName();
    }
}
