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

package org.apache.paimon.blobfallback.tests.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Makes jars of folders of classes, since Spark takes nothing else. */
final class Jars {

    private Jars() {}

    /**
     * Makes a jar.
     *
     * @param folders of classes and resources
     */
    static Path of(Path jar, Path... folders) throws IOException {
        Set<String> seen = new HashSet<>();
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream output = new JarOutputStream(file)) {
            for (Path folder : folders) {
                for (Path path : files(folder)) {
                    String name = folder.relativize(path).toString().replace('\\', '/');
                    if (seen.add(name)) {
                        output.putNextEntry(new JarEntry(name));
                        Files.copy(path, output);
                        output.closeEntry();
                    }
                }
            }
        }
        return jar;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
