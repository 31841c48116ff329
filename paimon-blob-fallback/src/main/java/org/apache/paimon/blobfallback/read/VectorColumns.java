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

package org.apache.paimon.blobfallback.read;

import static java.util.Comparator.comparingLong;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.mergetree.compact.ConcatRecordReader;
import org.apache.paimon.reader.ReaderSupplier;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.IteratorRecordReader;
import org.apache.paimon.utils.Range;

/**
 * The columns of a group that vector-store files hold. A row's vector is in the newest file that
 * covers the row; the host reads each file separately, since it cannot combine the files that
 * remain after row ranges are applied.
 */
final class VectorColumns {

    private final HostFileReader host;
    private final RowSelection selection;

    /**
     * @param host reads one file
     * @param selection rows to read
     */
    VectorColumns(HostFileReader host, RowSelection selection) {
        this.host = host;
        this.selection = selection;
    }

    /**
     * Groups columns by the files that hold them.
     *
     * @param files vector-store files
     * @param fields columns that are wanted
     * @return columns that are read together, by their files
     */
    static Map<List<DataFileMeta>, List<DataField>> byFiles(
            ReadContext context, List<DataFileMeta> files, List<DataField> fields) {
        Map<List<DataFileMeta>, List<DataField>> byFiles = new LinkedHashMap<>();
        for (DataField field : fields) {
            List<DataFileMeta> holding = new ArrayList<>();
            for (DataFileMeta file : files) {
                if (context.fileColumns().writtenFieldIds(file).contains(field.id())) {
                    holding.add(file);
                }
            }
            if (!holding.isEmpty()) {
                byFiles.computeIfAbsent(holding, ignored -> new ArrayList<>()).add(field);
            }
        }
        return byFiles;
    }

    /**
     * Opens columns.
     *
     * @param files that hold them
     * @return as many rows as are selected; null in the rows that no file covers
     */
    RecordReader<InternalRow> open(List<DataFileMeta> files, List<DataField> fields)
            throws IOException {
        RowType readType = new RowType(fields);
        List<ReaderSupplier<InternalRow>> readers = new ArrayList<>();
        for (Piece piece : pieces(files)) {
            readers.add(
                    piece.file == null
                            ? () -> nulls(piece, fields.size())
                            : () ->
                                    host.read(
                                            piece.file,
                                            RowSelection.of(
                                                    piece.file.nonNullRowIdRange(), piece.ranges),
                                            readType));
        }
        return ConcatRecordReader.create(readers);
    }

    /** Assigns each selected row to the newest file that covers it. */
    private List<Piece> pieces(List<DataFileMeta> files) {
        List<DataFileMeta> newestFirst = new ArrayList<>(files);
        newestFirst.sort(comparingLong(DataFileMeta::maxSequenceNumber).reversed());
        List<Piece> parts = new ArrayList<>();
        List<Range> left = selection.ranges();
        for (DataFileMeta file : newestFirst) {
            Range covered = file.nonNullRowIdRange();
            List<Range> others = new ArrayList<>();
            for (Range range : left) {
                Range taken = Range.intersection(range, covered);
                if (taken != null) {
                    parts.add(new Piece(file, taken));
                }
                others.addAll(range.exclude(Collections.singletonList(covered)));
            }
            left = others;
        }
        for (Range range : left) {
            parts.add(new Piece(null, range));
        }
        parts.sort(comparingLong(part -> part.ranges.get(0).from));
        List<Piece> pieces = new ArrayList<>();
        for (Piece part : parts) {
            Piece last = pieces.isEmpty() ? null : pieces.get(pieces.size() - 1);
            if (last != null && last.file == part.file) {
                last.ranges.addAll(part.ranges);
            } else {
                pieces.add(part);
            }
        }
        return pieces;
    }

    private static RecordReader<InternalRow> nulls(Piece piece, int fieldCount) {
        long count = 0;
        for (Range range : piece.ranges) {
            count += range.count();
        }
        return new IteratorRecordReader<>(
                LongStream.range(0, count)
                        .<InternalRow>mapToObj(ignored -> new GenericRow(fieldCount))
                        .iterator());
    }

    /** Reads rows of one file with the host. */
    interface HostFileReader {

        RecordReader<InternalRow> read(DataFileMeta file, RowSelection selection, RowType readType)
                throws IOException;
    }

    /** Consecutive selected rows that one file has, or none. */
    private static final class Piece {

        @Nullable private final DataFileMeta file;
        private final List<Range> ranges = new ArrayList<>();

        private Piece(@Nullable DataFileMeta file, Range range) {
            this.file = file;
            this.ranges.add(range);
        }
    }
}
