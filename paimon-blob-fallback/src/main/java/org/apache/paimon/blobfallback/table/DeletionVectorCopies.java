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

package org.apache.paimon.blobfallback.table;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;

/**
 * Copies of a table that has deletion vectors and data evolution. The host validates the schema at
 * each copy and refuses this combination, so it gets the schema without deletion vectors.
 */
final class DeletionVectorCopies {

    private static final String DELETION_VECTORS = CoreOptions.DELETION_VECTORS_ENABLED.key();

    private DeletionVectorCopies() {}

    /**
     * Copies a table as the host does.
     *
     * @param copy the host's copy, which may change to an older or newer schema
     * @param dynamicOptions that the copy is made with
     */
    static FileStoreTable copy(
            FileStoreTable table,
            BiFunction<FileStoreTable, Map<String, String>, FileStoreTable> copy,
            Map<String, String> dynamicOptions) {
        Map<String, String> shownOptions = new HashMap<>(dynamicOptions);
        String value =
                shownOptions.containsKey(DELETION_VECTORS)
                        ? shownOptions.remove(DELETION_VECTORS)
                        : table.schema().options().get(DELETION_VECTORS);
        FileStoreTable shown = table.copy(with(table.schema(), "false"));
        return table.copy(with(copy.apply(shown, shownOptions).schema(), value));
    }

    private static TableSchema with(TableSchema schema, @Nullable String deletionVectors) {
        Map<String, String> options = new HashMap<>(schema.options());
        if (deletionVectors == null) {
            options.remove(DELETION_VECTORS);
        } else {
            options.put(DELETION_VECTORS, deletionVectors);
        }
        return schema.copy(options);
    }
}
