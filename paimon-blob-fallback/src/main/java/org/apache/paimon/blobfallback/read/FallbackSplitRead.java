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

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.deletionvectors.DeletionVector;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.reader.EmptyFileRecordReader;
import org.apache.paimon.reader.ReaderSupplier;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.DeletionFile;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/**
 * Reads splits of a data-evolution table whose blob columns may have been updated in part.
 *
 * <p>The group's blob columns go to the plugin, everything else to the host.
 */
public final class FallbackSplitRead extends GroupedSplitRead {

    private final FileIO fileIO;
    private final GroupReaderFactory readers;

    /**
     * @param context the table
     * @param hostRead makes the host's own read of the table, which is given splits without blob
     *     files
     */
    public FallbackSplitRead(ReadContext context, Supplier<SplitRead<InternalRow>> hostRead) {
        super(context.schema().logicalRowType());
        this.fileIO = context.fileIO();
        this.readers = new GroupReaderFactory(context, hostRead);
    }

    @Override
    List<ReaderSupplier<InternalRow>> readers(
            DataSplit split, @Nullable List<Range> rowRanges, RowType readType) {
        Map<String, DeletionFile> deletionFiles = deletionFiles(split);
        List<ReaderSupplier<InternalRow>> suppliers = new ArrayList<>();
        for (RowIdGroup group : RowIdGroup.of(split.dataFiles())) {
            suppliers.add(() -> read(split, group, rowRanges, deletionFiles, readType));
        }
        return suppliers;
    }

    private RecordReader<InternalRow> read(
            DataSplit split,
            RowIdGroup group,
            @Nullable List<Range> rowRanges,
            Map<String, DeletionFile> deletionFiles,
            RowType readType)
            throws IOException {
        RowSelection selection = RowSelection.of(group.range(), rowRanges);
        if (!deletionFiles.isEmpty()) {
            DeletionFile deletionFile = deletionFiles.get(group.anchor().fileName());
            if (deletionFile != null) {
                selection =
                        selection.without(
                                DeletionVector.read(fileIO, deletionFile), group.range().from);
            }
        }
        if (selection.isEmpty()) {
            return new EmptyFileRecordReader<>();
        }
        return readers.create(split, group, selection, readType);
    }

    private static Map<String, DeletionFile> deletionFiles(DataSplit split) {
        List<DeletionFile> list = split.deletionFiles().orElse(Collections.emptyList());
        Map<String, DeletionFile> deletionFiles = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) != null) {
                deletionFiles.put(split.dataFiles().get(i).fileName(), list.get(i));
            }
        }
        return deletionFiles;
    }
}
