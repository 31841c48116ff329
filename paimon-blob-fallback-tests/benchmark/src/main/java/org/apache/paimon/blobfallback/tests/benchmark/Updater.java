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

package org.apache.paimon.blobfallback.tests.benchmark;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.paimon.blobfallback.tests.bridge.BlobUpdater;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;

/** A contestant that updates some rows of a copy of a table, again and again. */
final class Updater implements Closeable {

    private final PaimonRuntime runtime;
    private final Path warehouse;
    private final String table;
    private final Map<Long, byte[]> values = new LinkedHashMap<>();
    private final BlobUpdater updater;

    /**
     * @param touched number of rows to update, evenly apart
     */
    Updater(Contestant contestant, TableShape shape, int touched) throws Exception {
        table = shape.name();
        warehouse = Files.createTempDirectory(Warehouse.path(), "updates-");
        copy(Warehouse.path().resolve(shape.folder()), warehouse.resolve(shape.folder()));
        for (int i = 0; i < touched; i++) {
            values.put((long) i * (shape.rows() / touched), new byte[shape.blobBytes()]);
        }
        runtime = contestant.start();
        updater = runtime.find(BlobUpdater.class);
        updater.open(contestant.catalogOptions(warehouse.toString()));
    }

    void update() throws Exception {
        updater.update(table, TableShape.BLOB, values);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Path target = to.resolve(from.relativize(path));
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        updater.close();
        runtime.close();
        try (Stream<Path> paths = Files.walk(warehouse)) {
            for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(path);
            }
        }
    }
}
