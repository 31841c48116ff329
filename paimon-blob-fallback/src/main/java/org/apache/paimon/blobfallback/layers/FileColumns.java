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

package org.apache.paimon.blobfallback.layers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Pair;

/**
 * Which columns the files of a table hold, by field id. Schemas are read once and kept. Safe for
 * use by several threads.
 */
public final class FileColumns {

    private final String tableName;
    private final SchemaManager schemaManager;
    private final Map<Long, TableSchema> schemas = new HashMap<>();
    private final Map<Pair<Long, List<String>>, Set<Integer>> writtenFieldIds =
            new ConcurrentHashMap<>();

    /**
     * @param tableName for messages
     * @param schemaManager knows the schemas that files were written with
     * @param schema one that has been read already
     */
    public FileColumns(String tableName, SchemaManager schemaManager, TableSchema schema) {
        this.tableName = tableName;
        this.schemaManager = schemaManager;
        schemas.put(schema.id(), schema);
    }

    /** Field ids of the columns that a file was written with. */
    public Set<Integer> writtenFieldIds(DataFileMeta file) {
        return writtenFieldIds.computeIfAbsent(
                Pair.of(file.schemaId(), file.writeCols()),
                ignored ->
                        schema(file.schemaId()).project(file.writeCols()).fields().stream()
                                .map(DataField::id)
                                .collect(Collectors.toSet()));
    }

    /**
     * Field id of the column that a blob file holds.
     *
     * @throws IllegalArgumentException if its metadata does not name exactly one column of its
     *     schema; it names the file
     */
    public int blobFieldId(DataFileMeta file) {
        if (file.writeCols() == null || file.writeCols().size() != 1) {
            throw new IllegalArgumentException(
                    String.format(
                            "Blob file %s of table %s must hold one column, found %s in its"
                                    + " metadata.",
                            file.fileName(), tableName, file.writeCols()));
        }
        String column = file.writeCols().get(0);
        for (DataField field : schema(file.schemaId()).fields()) {
            if (field.name().equals(column)) {
                return field.id();
            }
        }
        throw new IllegalArgumentException(
                String.format(
                        "Blob file %s of table %s holds column %s, which schema %s does not have.",
                        file.fileName(), tableName, column, file.schemaId()));
    }

    /** Columns of the schema that a file was written with. */
    public RowType rowType(DataFileMeta file) {
        return schema(file.schemaId()).logicalRowType();
    }

    private synchronized TableSchema schema(long id) {
        return schemas.computeIfAbsent(id, schemaManager::schema);
    }
}
