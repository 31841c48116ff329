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

package org.apache.paimon.blobfallback.tests.differential;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;

/** Draws what a random table is created with. */
final class RandomDefinition {

    private static final List<String> MAP_KEYS =
            List.of("STRING", "TINYINT", "SMALLINT", "INT", "BIGINT");

    /** Those that Paimon's master has besides. */
    private static final List<String> MAP_KEYS_OF_MASTER =
            List.of("BOOLEAN", "DATE", "DECIMAL(10, 2)", "DECIMAL(20, 4)", "BYTES");

    private static final List<String> NORMAL_TYPES =
            List.of(
                    "TINYINT",
                    "SMALLINT",
                    "INT",
                    "BIGINT",
                    "FLOAT",
                    "DOUBLE",
                    "DECIMAL(10, 2)",
                    "BOOLEAN",
                    "STRING",
                    "DATE",
                    "TIMESTAMP(3)",
                    "BYTES");

    private final Random random;
    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, ModelColumn.Kind> kinds = new LinkedHashMap<>();
    private final TableDefinition definition;
    private final boolean deletionVectors;
    private final boolean master;
    private final boolean vector;
    private final boolean view;

    /**
     * @param externalFolder a folder outside the warehouse that data files may go to
     * @param master whether the table may have what Paimon 2.0 has not
     */
    RandomDefinition(Random random, Path externalFolder, boolean master) {
        this.random = random;
        this.master = master;
        this.deletionVectors = random.nextInt(4) == 0;
        boolean partitioned = random.nextInt(4) == 0;
        boolean descriptor = random.nextInt(8) == 0;
        this.vector = random.nextInt(8) == 0;
        this.view = random.nextInt(8) == 0;
        add("id", "INT", ModelColumn.Kind.NORMAL);
        add("name", "STRING", ModelColumn.Kind.NORMAL);
        if (partitioned) {
            add("part", "STRING", ModelColumn.Kind.NORMAL);
        }
        if (descriptor) {
            add("d", "BLOB", ModelColumn.Kind.DESCRIPTOR);
        }
        if (vector) {
            add("v", "VECTOR<FLOAT, 2>", ModelColumn.Kind.VECTOR);
        }
        if (view) {
            add("w", "BLOB", ModelColumn.Kind.VIEW);
        }
        int normals = random.nextInt(3);
        for (int i = 0; i < normals; i++) {
            add("n" + i, normalType(random), ModelColumn.Kind.NORMAL);
        }
        int blobs = 1 + random.nextInt(3);
        for (int i = 0; i < blobs; i++) {
            add("b" + i, blobType(), ModelColumn.Kind.BLOB);
        }
        Map<String, String> options = storage();
        if (deletionVectors) {
            options.put("deletion-vectors.enabled", "true");
            options.put("deletion-vectors.bitmap64", Boolean.toString(random.nextBoolean()));
        }
        if (descriptor) {
            options.put("blob-descriptor-field", "d");
        }
        if (view) {
            options.put("blob-view-field", "w");
        }
        if (vector) {
            options.put("vector-field", "v");
            options.put("vector.file.format", "json");
            options.put("file.compression", "none");
            options.put("vector.target-file-size", random.nextBoolean() ? "1 b" : "1 mb");
        }
        if (random.nextInt(4) == 0) {
            options.put("file-index.bloom-filter.columns", "id");
            options.put("file-index.bitmap.columns", "name");
            options.put("file-index.in-manifest-threshold", random.nextBoolean() ? "1 b" : "1 mb");
        }
        if (master) {
            // Files that it compacts have a sequence number a column then.
            options.put("global-index.column-update-action", "ignore");
        }
        if (random.nextInt(8) == 0) {
            options.put("data-file.external-paths", externalFolder.toUri().toString());
            options.put("data-file.external-paths.strategy", "round-robin");
        }
        definition =
                new TableDefinition(
                        shuffledColumns(), partitioned ? List.of("part") : List.of(), options);
    }

    private void add(String name, String type, ModelColumn.Kind kind) {
        types.put(name, type);
        kinds.put(name, kind);
    }

    private Map<String, String> storage() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("file.format", fileFormat());
        options.put("blob.target-file-size", blobFileSize(random));
        if (random.nextInt(3) == 0) {
            options.put("source.split.target-size", "1 kb");
            options.put("source.split.open-file-cost", "100 b");
        }
        return options;
    }

    private Map<String, String> shuffledColumns() {
        List<String> names = new ArrayList<>(types.keySet());
        Collections.shuffle(names, random);
        Map<String, String> shuffled = new LinkedHashMap<>();
        names.forEach(name -> shuffled.put(name, types.get(name)));
        return shuffled;
    }

    /** The type of a blob column: in most cases a single blob. */
    String blobType() {
        return switch (random.nextInt(8)) {
            case 0 -> "ARRAY<BLOB>";
            case 1 -> "MAP<" + mapKey() + ", BLOB>";
            default -> "BLOB";
        };
    }

    private String mapKey() {
        List<String> keys = master && random.nextBoolean() ? MAP_KEYS_OF_MASTER : MAP_KEYS;
        return keys.get(random.nextInt(keys.size()));
    }

    /** Whether it is a type of blob column that Paimon 2.0 does not have. */
    static boolean isMapOfMaster(String type) {
        return MAP_KEYS_OF_MASTER.stream().anyMatch(key -> type.equals("MAP<" + key + ", BLOB>"));
    }

    /** The type of a normal column. */
    static String normalType(Random random) {
        return NORMAL_TYPES.get(random.nextInt(NORMAL_TYPES.size()));
    }

    /**
     * A format for normal files. Vector-store files as JSON need the table's compression to be off,
     * which Avro does not know; and views in Avro files are refused.
     */
    String fileFormat() {
        return List.of("parquet", "orc", "avro").get(random.nextInt(vector || view ? 2 : 3));
    }

    /** When a blob file is full: after each row, after a few, never. */
    static String blobFileSize(Random random) {
        return List.of("1 b", "100 b", "400 b", "1 mb").get(random.nextInt(4));
    }

    TableDefinition definition() {
        return definition;
    }

    boolean hasDeletionVectors() {
        return deletionVectors;
    }

    boolean hasVector() {
        return vector;
    }

    boolean hasView() {
        return view;
    }

    boolean isOfMaster() {
        return master;
    }

    boolean isPartitioned() {
        return !definition.partitionKeys().isEmpty();
    }

    /** The columns as the model has them, with the field ids that they got. */
    List<ModelColumn> columns(Map<String, Integer> ids) {
        List<ModelColumn> columns = new ArrayList<>();
        ids.forEach(
                (name, id) ->
                        columns.add(new ModelColumn(name, id, types.get(name), kinds.get(name))));
        return columns;
    }
}
