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

package org.apache.paimon.blobfallback.format.file;

import static org.apache.paimon.utils.Preconditions.checkArgument;
import static org.apache.paimon.utils.StreamUtils.intToLittleEndian;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.entry.EntryOutput;
import org.apache.paimon.blobfallback.format.entry.StoredEntry;
import org.apache.paimon.blobfallback.format.index.BlobIndexEncoder;
import org.apache.paimon.data.BlobConsumer;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.format.FileAwareFormatWriter;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.types.RowType;

/**
 * Writes one blob file, entry by entry, as {@link BlobFileLayout} describes it.
 *
 * <p>Payloads are streamed from their blobs in small pieces. What stays in memory is the index in
 * its encoded form, which is one byte for each row of a run of placeholders or nulls.
 *
 * <p>The caller owns the stream: {@link #close()} ends the file but leaves the stream open.
 */
public final class BlobFileWriter implements FileAwareFormatWriter {

    private final PositionOutputStream out;
    private final EntryOutput entry;
    private final BlobColumnType columnType;
    private final boolean sentinelIsPlaceholder;
    private final BlobIndexEncoder index = new BlobIndexEncoder();
    @Nullable private final BlobConsumer consumer;
    private final String column;

    private String file;

    /**
     * @param out positioned at the start of the file; stays open
     * @param type one column, a blob, an array of blobs or a map to blobs
     * @param consumer is called for each blob and null that is written, but not for placeholders
     *     and a {@link StoredEntry}; with a consumer the file is not deleted on abort, since others
     *     may already read it
     * @param sentinelIsPlaceholder whether a blob in memory that has the bytes of {@link
     *     BlobPlaceholder#toData()} is one
     * @throws IllegalArgumentException if the type is not one that a blob file holds
     */
    public BlobFileWriter(
            PositionOutputStream out,
            RowType type,
            @Nullable BlobConsumer consumer,
            boolean sentinelIsPlaceholder) {
        checkArgument(
                type.getFieldCount() == 1,
                "A blob file holds one column, found the type %s.",
                type);
        this.out = out;
        this.entry = new EntryOutput(out);
        this.columnType = BlobColumnType.of(type.getTypeAt(0));
        this.sentinelIsPlaceholder = sentinelIsPlaceholder;
        this.consumer = consumer;
        this.column = type.getFieldNames().get(0);
    }

    @Override
    public void setFile(Path file) {
        this.file = file.toString();
    }

    @Override
    public boolean deleteFileUponAbort() {
        return consumer == null;
    }

    /**
     * Writes the entry of the next row.
     *
     * @param element a row of one field: null, a placeholder or a value; or a {@link GenericRow}
     *     with a {@link StoredEntry}, whose payload is copied as it is
     * @throws IOException if the value cannot be read to its end or the file cannot be written; the
     *     file is then unusable
     */
    @Override
    public void addElement(InternalRow element) throws IOException {
        checkArgument(
                element.getFieldCount() == 1,
                "A blob file holds one column, found a row of %s fields.",
                element.getFieldCount());
        if (element.isNullAt(0)) {
            index.add(BlobFileLayout.NULL_LENGTH);
            if (consumer != null) {
                consumer.accept(column, null);
            }
            return;
        }
        if (element instanceof GenericRow
                && ((GenericRow) element).getField(0) instanceof StoredEntry) {
            index.add(entry.copy((StoredEntry) ((GenericRow) element).getField(0)));
            return;
        }
        if (columnType.isPlaceholder(element, sentinelIsPlaceholder)) {
            index.add(BlobFileLayout.PLACEHOLDER_LENGTH);
            return;
        }
        entry.begin();
        boolean flush =
                columnType.write(
                        element,
                        entry,
                        (position, length) ->
                                consumer != null
                                        && consumer.accept(
                                                column,
                                                new BlobDescriptor(file, position, length)));
        index.add(entry.end());
        if (flush) {
            out.flush();
        }
    }

    @Override
    public boolean reachTargetSize(boolean suggestedCheck, long targetSize) {
        return entry.position() >= targetSize;
    }

    /**
     * Writes index and footer.
     *
     * @throws IOException if the file cannot be written
     */
    @Override
    public void close() throws IOException {
        int indexLength = index.writeTo(out);
        out.write(intToLittleEndian(indexLength));
        out.write(EntryFrame.WRITTEN.version());
    }
}
