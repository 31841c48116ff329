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

package org.apache.paimon.blobfallback.read.view;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/**
 * Finds the blobs that views point to, in the tables of the catalog, with the rights that the
 * catalog gives. They are returned as descriptors, so that only blobs that are used are read.
 */
public final class BlobViewResolver implements Closeable {

    /** Views may point to views; a longer chain is treated as a cycle. */
    private static final int MAX_VIEWS_IN_A_ROW = 8;

    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private final ViewCatalog tables;
    private final String where;

    @Nullable private Catalog catalog;

    /**
     * @param tables opens the catalog and its tables
     * @param where names the view column, for messages
     */
    public BlobViewResolver(ViewCatalog tables, String where) {
        this.tables = tables;
        this.where = where;
    }

    /**
     * Finds blobs.
     *
     * @param references one for each row, null in rows without a view
     * @return the blobs, in the order of the rows; null where the view or its blob is null
     * @throws IOException if a view points to nothing, or its table cannot be read
     */
    List<Blob> resolve(List<BlobViewReference> references) throws IOException {
        int depth = DEPTH.get();
        if (depth == MAX_VIEWS_IN_A_ROW) {
            throw new IOException(
                    String.format(
                            "Blob views point to blob views more than %s times in a row, found in"
                                    + " %s.",
                            MAX_VIEWS_IN_A_ROW, where));
        }
        DEPTH.set(depth + 1);
        try {
            Map<Identifier, Map<Integer, Map<Long, Blob>>> found = new HashMap<>();
            for (BlobViewReference reference : references) {
                if (reference != null) {
                    found.computeIfAbsent(reference.table(), ignored -> new HashMap<>())
                            .computeIfAbsent(reference.fieldId(), ignored -> new HashMap<>())
                            .put(reference.rowId(), null);
                }
            }
            for (Map.Entry<Identifier, Map<Integer, Map<Long, Blob>>> table : found.entrySet()) {
                for (Map.Entry<Integer, Map<Long, Blob>> field : table.getValue().entrySet()) {
                    field.setValue(read(table.getKey(), field.getKey(), field.getValue()));
                }
            }
            List<Blob> blobs = new ArrayList<>(references.size());
            for (BlobViewReference reference : references) {
                blobs.add(reference == null ? null : find(reference, found));
            }
            return blobs;
        } finally {
            DEPTH.set(depth);
        }
    }

    @Nullable
    private Blob find(
            BlobViewReference reference, Map<Identifier, Map<Integer, Map<Long, Blob>>> found)
            throws IOException {
        Map<Long, Blob> blobs = found.get(reference.table()).get(reference.fieldId());
        if (!blobs.containsKey(reference.rowId())) {
            throw new IOException(
                    String.format(
                            "The blob view in %s points to a row that does not exist: %s.",
                            where, reference));
        }
        return blobs.get(reference.rowId());
    }

    private Map<Long, Blob> read(Identifier identifier, int fieldId, Map<Long, Blob> wanted)
            throws IOException {
        Table table = table(identifier);
        if (!table.rowType().containsField(fieldId)
                || !table.rowType().getField(fieldId).type().is(DataTypeRoot.BLOB)) {
            throw new IOException(
                    String.format(
                            "The blob view in %s points to field id %s of table %s, which has no"
                                    + " such BLOB column.",
                            where, fieldId, identifier.getFullName()));
        }
        RowType readType =
                SpecialFields.rowTypeWithRowId(
                        new RowType(Collections.singletonList(table.rowType().getField(fieldId))));
        List<Range> rowIds = new ArrayList<>();
        wanted.keySet().forEach(rowId -> rowIds.add(new Range(rowId, rowId)));
        ReadBuilder builder =
                table.newReadBuilder()
                        .withReadType(readType)
                        .withRowRanges(Range.sortAndMergeOverlap(rowIds, true));
        Map<Long, Blob> blobs = new HashMap<>();
        try (RecordReader<InternalRow> reader =
                builder.newRead().createReader(builder.newScan().plan())) {
            reader.forEachRemaining(
                    row -> blobs.put(row.getLong(1), row.isNullAt(0) ? null : row.getBlob(0)));
        }
        return blobs;
    }

    private Table table(Identifier identifier) throws IOException {
        if (catalog == null) {
            catalog = tables.open();
        }
        try {
            Map<String, String> options = new HashMap<>();
            options.put(CoreOptions.BLOB_AS_DESCRIPTOR.key(), "true");
            options.put(BlobFallbackOptions.ENABLED.key(), "true");
            return tables.table(catalog, identifier).copy(options);
        } catch (Catalog.TableNotExistException e) {
            throw new IOException(
                    String.format(
                            "The blob view in %s points to table %s, which is not in the catalog.",
                            where, identifier.getFullName()),
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        if (catalog != null) {
            try {
                catalog.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException("Failed to close the catalog of the blob views.", e);
            } finally {
                catalog = null;
            }
        }
    }
}
