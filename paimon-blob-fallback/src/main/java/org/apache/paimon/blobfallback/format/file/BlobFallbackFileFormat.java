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

import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.data.BlobConsumer;
import org.apache.paimon.format.EmptyStatsExtractor;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FormatReaderFactory;
import org.apache.paimon.format.FormatWriterFactory;
import org.apache.paimon.format.SimpleStatsExtractor;
import org.apache.paimon.options.Options;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.statistics.SimpleColStatsCollector;
import org.apache.paimon.types.RowType;

/**
 * The {@code blob} file format: one blob column, one entry for each row.
 *
 * <p>A single file has no value for a placeholder, so the reader fails on it, unless the internal
 * option {@code blob.internal.emit-placeholder-sentinel} asks for {@link BlobPlaceholder#INSTANCE}.
 * The writer writes a placeholder for that instance, and for its bytes only if the internal option
 * {@code blob.internal.write-placeholder} is set.
 */
public final class BlobFallbackFileFormat extends FileFormat {

    private final boolean blobAsDescriptor;
    private final boolean emitPlaceholder;
    private final boolean sentinelIsPlaceholder;
    private final BlobReadOptions readOptions;

    @Nullable private BlobConsumer writeConsumer;

    /**
     * @param options of the table, or of the format
     * @throws IllegalArgumentException if an option has a value that it does not allow
     */
    public BlobFallbackFileFormat(Options options) {
        super(BlobFileLayout.IDENTIFIER);
        this.blobAsDescriptor = options.get(CoreOptions.BLOB_AS_DESCRIPTOR);
        this.emitPlaceholder = options.get(BlobFallbackOptions.EMIT_PLACEHOLDER_SENTINEL);
        this.sentinelIsPlaceholder = options.get(BlobFallbackOptions.WRITE_PLACEHOLDER);
        this.readOptions = new BlobReadOptions(options);
    }

    /**
     * Sets the consumer of the places of written blobs.
     *
     * @param consumer is called for data and null entries but not for placeholders; null for none
     */
    public void setWriteConsumer(@Nullable BlobConsumer consumer) {
        this.writeConsumer = consumer;
    }

    /**
     * @throws IllegalArgumentException if the projection has no column that a blob file can hold
     */
    @Override
    public FormatReaderFactory createReaderFactory(
            RowType dataSchemaRowType,
            RowType projectedRowType,
            @Nullable List<Predicate> filters) {
        return new BlobFileReaderFactory(
                projectedRowType, blobAsDescriptor, emitPlaceholder, readOptions);
    }

    @Override
    public FormatWriterFactory createWriterFactory(RowType type) {
        BlobConsumer consumer = writeConsumer;
        return (out, compression) -> new BlobFileWriter(out, type, consumer, sentinelIsPlaceholder);
    }

    /**
     * @throws IllegalArgumentException if there is not exactly one column, or not a blob column
     */
    @Override
    public void validateDataFields(RowType rowType) {
        if (rowType.getFieldCount() != 1) {
            throw new IllegalArgumentException(
                    "A blob file holds one column, found " + rowType.getFieldNames());
        }
        BlobColumnType.of(rowType.getTypeAt(0));
    }

    @Override
    public Optional<SimpleStatsExtractor> createStatsExtractor(
            RowType type, SimpleColStatsCollector.Factory[] statsCollectors) {
        return Optional.of(new EmptyStatsExtractor());
    }
}
