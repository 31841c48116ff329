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

package org.apache.paimon.blobfallback.plan.index;

import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.FullTextSearchBuilder;
import org.apache.paimon.table.source.FullTextSearchBuilderImpl;
import org.apache.paimon.table.source.VectorSearchBuilder;
import org.apache.paimon.table.source.VectorSearchBuilderImpl;

/**
 * The host's searches for the nearest rows, which find only rows of their index and cannot fall
 * back to others: here they refuse a search that would silently leave out rows (R20).
 */
public final class NearestRows {

    private NearestRows() {}

    /**
     * A search by vector. It refuses a filter with an {@link UnsupportedOperationException} if the
     * host may read the index for it wrong, or the index may have old values.
     *
     * @throws UnsupportedOperationException if the search mode asks for rows that no index contains
     */
    public static VectorSearchBuilder byVector(FileStoreTable table) {
        requireFast(table, "vector-index");
        return new ByVector(table);
    }

    /**
     * A search by text.
     *
     * @throws UnsupportedOperationException if the search mode asks for rows that no index contains
     */
    public static FullTextSearchBuilder byText(FileStoreTable table) {
        requireFast(table, "full-text-index");
        return new FullTextSearchBuilderImpl(table);
    }

    private static void requireFast(FileStoreTable table, String family) {
        SearchMode mode = SearchMode.of(family, table.coreOptions().toConfiguration());
        if (mode != SearchMode.FAST) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Paimon 1.4 searches only the rows of an index, but table %s asks for"
                                    + " all rows: set '%s.search-mode' = 'fast', or search with"
                                    + " Paimon 2.0.",
                            table.fullName(), family));
        }
    }

    private static final class ByVector extends VectorSearchBuilderImpl {

        private static final long serialVersionUID = 1L;

        private final FileStoreTable table;

        private ByVector(FileStoreTable table) {
            super(table);
            this.table = table;
        }

        @Override
        public VectorSearchBuilder withFilter(Predicate predicate) {
            GlobalIndexSearch search = new GlobalIndexSearch(table, null, predicate);
            if (!search.isUnderstood()) {
                throw new UnsupportedOperationException(
                        String.format(
                                "Table %s has a global index for the filter %s that Paimon 1.4 may"
                                        + " not read right; the log names its file. Search without"
                                        + " the filter, drop the index, or search with Paimon 2.0.",
                                table.fullName(), predicate));
            }
            if (!search.isCurrent()) {
                throw new UnsupportedOperationException(
                        String.format(
                                "Table %s has a global index for the filter %s and rows whose"
                                        + " indexed column was rewritten or has changed its type:"
                                        + " Paimon 1.4 may search by their old values. Search"
                                        + " without the filter, or drop the index.",
                                table.fullName(), predicate));
            }
            return super.withFilter(GlobalIndexSearch.asIndexesKnow(table.rowType(), predicate));
        }
    }
}
