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

package org.apache.paimon.blobfallback.tests.bridge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a table is created with.
 *
 * @param columns column name to type, in order; types as in SQL, such as {@code INT}, {@code BLOB},
 *     {@code ARRAY<BLOB>} or {@code MAP<STRING, BLOB>}
 * @param partitionKeys names of the partition columns
 * @param options table options
 */
public record TableDefinition(
        Map<String, String> columns, List<String> partitionKeys, Map<String, String> options) {

    /** A table without partitions and options, to which others are added. */
    public static TableDefinition of(String... namesAndTypes) {
        if (namesAndTypes.length % 2 != 0) {
            throw new IllegalArgumentException("Expected names and types in turn.");
        }
        Map<String, String> columns = new LinkedHashMap<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            columns.put(namesAndTypes[i], namesAndTypes[i + 1]);
        }
        return new TableDefinition(columns, new ArrayList<>(), new LinkedHashMap<>());
    }

    /** The same table partitioned by the given columns. */
    public TableDefinition partitionedBy(String... keys) {
        return new TableDefinition(columns, List.of(keys), options);
    }

    /** The same table with one more option. */
    public TableDefinition with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(key, value);
        return new TableDefinition(columns, partitionKeys, more);
    }
}
