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
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * CONTRIBUTING.md lists each place where the plugin depends on the host's internals rather than its
 * API: a class of the host that is extended, a constructor of the host with {@value #MANY}
 * parameters or more, a class that is found by its name.
 */
class HostInsideTest {

    private static final int MANY = 5;

    private static final String HOST = "org.apache.paimon.";

    private static final Path PAGE = Path.of("..", "CONTRIBUTING.md");
    private static final String HEADING = "## Where the plugin touches the inside of the host";
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([\\w/]+)` \\| (.+?) \\| (.+?) \\|$");
    private static final Pattern TOUCH = Pattern.compile("(extends|makes|finds) `([\\w.]+)`");

    @Test
    void theListHasEachPlaceAndNoOther() throws IOException {
        assertThat(listed()).isEqualTo(found());
    }

    private static Map<String, Set<String>> listed() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page.contains(HEADING)).as(HEADING).isTrue();
        String section = page.substring(page.indexOf(HEADING) + HEADING.length());
        Matcher rows = ROW.matcher(section.split("(?m)^## ", 2)[0]);
        Map<String, Set<String>> listed = new TreeMap<>();
        while (rows.find()) {
            Set<String> touched = new TreeSet<>();
            Matcher touches = TOUCH.matcher(rows.group(2));
            while (touches.find()) {
                touched.add(touches.group());
            }
            assertThat(listed.put(rows.group(1), touched)).as(rows.group(1)).isNull();
        }
        return listed;
    }

    private static Map<String, Set<String>> found() {
        Map<String, Set<String>> found = new TreeMap<>();
        for (JavaClass javaClass :
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(ArchitectureTest.PLUGIN)) {
            Set<String> touched = touched(javaClass);
            if (!touched.isEmpty()) {
                found.computeIfAbsent(place(javaClass), any -> new TreeSet<>()).addAll(touched);
            }
        }
        return found;
    }

    private static Set<String> touched(JavaClass javaClass) {
        Set<String> touched = new TreeSet<>();
        javaClass
                .getRawSuperclass()
                .filter(HostInsideTest::isOfHost)
                .ifPresent(host -> touched.add("extends `" + name(host) + "`"));
        for (JavaConstructorCall call : javaClass.getConstructorCallsFromSelf()) {
            boolean ofSuperclass =
                    javaClass.getRawSuperclass().filter(call.getTargetOwner()::equals).isPresent();
            if (isOfHost(call.getTargetOwner())
                    && call.getTarget().getRawParameterTypes().size() >= MANY
                    && !ofSuperclass) {
                touched.add("makes `" + name(call.getTargetOwner()) + "`");
            }
        }
        for (JavaMethodCall call : javaClass.getMethodCallsFromSelf()) {
            if (call.getTargetOwner().isEquivalentTo(Class.class)
                    && call.getName().equals("forName")) {
                touched.add("finds `Class.forName`");
            }
        }
        return touched;
    }

    private static boolean isOfHost(JavaClass javaClass) {
        return javaClass.getName().startsWith(HOST)
                && !javaClass.getName().startsWith(ArchitectureTest.PLUGIN);
    }

    /** The package under the plugin's own, and the outermost class. */
    private static String place(JavaClass javaClass) {
        String name = javaClass.getName().substring(ArchitectureTest.PLUGIN.length() + 1);
        return name.replaceAll("\\$.*", "").replace('.', '/');
    }

    private static String name(JavaClass javaClass) {
        return javaClass.getName().replaceAll(".*\\.", "").replace('$', '.');
    }
}
