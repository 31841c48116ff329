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

package org.apache.paimon.blobfallback.demo;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/**
 * The program behind {@code bin/demo}. Without arguments it demonstrates a partial update; with
 * warehouse, database, table and an optional statement it reads the user's own table.
 *
 * <p>Exit status: 0 if everything had the expected result, otherwise 1.
 */
public final class Demo {

    private Demo() {}

    public static void main(String[] arguments) throws Exception {
        boolean good =
                arguments.length == 0
                        ? new Story(freshFolder()).tell()
                        : readOwnTable(List.of(arguments));
        System.exit(good ? 0 : 1);
    }

    private static boolean readOwnTable(List<String> arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(arguments);
        if (!words.get(0).contains("://")) {
            words.set(0, Path.of(words.get(0)).toAbsolutePath().normalize().toString());
        }
        return HostProcess.withPlugin().run(OwnTable.class, words).succeeded();
    }

    /** A new folder where the build cleans up, for a warehouse that the user can look at later. */
    private static Path freshFolder() throws IOException {
        Path parent =
                Files.createDirectories(Runtimes.testsDir().resolve("demo/target/warehouses"));
        for (int number = 1; ; number++) {
            try {
                return Files.createDirectory(parent.resolve("demo-" + number));
            } catch (FileAlreadyExistsException taken) {
                // By an earlier run; the next number may be free.
            }
        }
    }
}
