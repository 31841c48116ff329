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

package org.apache.paimon.blobfallback.inspect;

import static java.util.Comparator.comparingLong;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.paimon.blobfallback.format.BlobFileCheck;
import org.apache.paimon.blobfallback.format.BlobFileException;
import org.apache.paimon.blobfallback.format.BlobFileInput;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.BlobIndex;
import org.apache.paimon.blobfallback.read.FileColumns;
import org.apache.paimon.blobfallback.read.RowIdGroup;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.utils.Pair;

/**
 * Checks all blob files of a table's snapshot: each file's size and index, each entry's magic,
 * length and CRC32, and the rules of layers and groups. A fault is noted and the check goes on.
 */
public final class BlobVerifier {

    private final FileStoreTable table;
    private final VerifyProgress progress;
    private final FileColumns columns;

    private final List<BlobFile> files = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private long faultCount;
    private long byteCount;
    private int filesDone;
    private long bytesDone;

    /**
     * @param table whose blob files to check
     * @param progress is told of each file that is done
     */
    public BlobVerifier(FileStoreTable table, VerifyProgress progress) {
        this.table = table;
        this.progress = progress;
        this.columns = new FileColumns(table.fullName(), table.schemaManager(), table.schema());
    }

    /**
     * Runs the check, to be called once.
     *
     * @param threads that read files at the same time
     * @throws IOException if the check itself cannot go on; what is wrong with the table's files is
     *     in the report
     */
    public BlobVerification verify(int threads) throws IOException {
        if (table.coreOptions().dataEvolutionEnabled()) {
            for (Split split : table.newScan().plan().splits()) {
                plan((DataSplit) split);
            }
        }
        checkFiles(threads);
        return new BlobVerification(table.fullName(), files.size(), byteCount, faultCount, faults);
    }

    /** Checks what the metadata of a split's files say, and notes its blob files. */
    private void plan(DataSplit split) {
        DataFilePathFactory paths =
                table.store()
                        .pathFactory()
                        .createDataFilePathFactory(split.partition(), split.bucket());
        List<DataFileMeta> placed = new ArrayList<>();
        Map<Pair<Integer, Long>, List<DataFileMeta>> layers = new HashMap<>();
        for (DataFileMeta file : split.dataFiles()) {
            boolean hasRowIds = file.firstRowId() != null;
            if (hasRowIds) {
                placed.add(file);
            }
            if (!BlobFileLayout.isBlobFile(file.fileName())) {
                continue;
            }
            files.add(new BlobFile(file, paths));
            byteCount += file.fileSize();
            if (!hasRowIds) {
                fault("Blob file " + paths.toPath(file) + " has no first row id.");
                continue;
            }
            try {
                layers.computeIfAbsent(
                                Pair.of(columns.blobFieldId(file), file.maxSequenceNumber()),
                                ignored -> new ArrayList<>())
                        .add(file);
            } catch (IllegalArgumentException e) {
                fault(e.getMessage());
            }
        }
        layers.values().forEach(layer -> checkNoOverlap(layer, paths));
        try {
            RowIdGroup.of(placed);
        } catch (IllegalArgumentException e) {
            fault(e.getMessage());
        }
    }

    private void checkNoOverlap(List<DataFileMeta> layer, DataFilePathFactory paths) {
        layer.sort(comparingLong(DataFileMeta::nonNullFirstRowId));
        DataFileMeta reachesFarthest = layer.get(0);
        for (DataFileMeta file : layer.subList(1, layer.size())) {
            if (reachesFarthest.nonNullRowIdRange().hasIntersection(file.nonNullRowIdRange())) {
                fault(
                        String.format(
                                "Two blob files of one layer (sequence number %d) must not overlap,"
                                        + " found %s with row ids %s and %s with row ids %s.",
                                file.maxSequenceNumber(),
                                paths.toPath(reachesFarthest),
                                reachesFarthest.nonNullRowIdRange(),
                                paths.toPath(file),
                                file.nonNullRowIdRange()));
            }
            if (file.nonNullRowIdRange().to > reachesFarthest.nonNullRowIdRange().to) {
                reachesFarthest = file;
            }
        }
    }

    private void checkFiles(int threads) throws IOException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (BlobFile file : files) {
                running.add(executor.submit(() -> check(file)));
            }
            for (Future<?> future : running) {
                future.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The check of " + table.fullName() + " was stopped.");
        } catch (ExecutionException e) {
            throw new IOException("Failed to check " + table.fullName(), e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private void check(BlobFile file) {
        FaultsOfFile ofFile = new FaultsOfFile();
        try (BlobFileInput input =
                new BlobFileInput(
                        table.fileIO(), file.paths.toPath(file.meta), file.meta.fileSize())) {
            long size = table.fileIO().getFileSize(input.path());
            if (size != input.fileSize()) {
                ofFile.accept(
                        new IOException(
                                String.format(
                                        "Corrupt blob file %s: expected %d bytes, found %d.",
                                        input.path(), input.fileSize(), size)));
            } else {
                new BlobFileCheck(input, BlobIndex.read(input, file.meta.rowCount()), ofFile).run();
            }
        } catch (BlobFileException e) {
            ofFile.accept(e);
        } catch (IOException | RuntimeException e) {
            ofFile.accept(
                    new IOException(
                            "Failed to check blob file "
                                    + file.paths.toPath(file.meta)
                                    + ": "
                                    + e.getMessage(),
                            e));
        }
        done(file, ofFile);
    }

    private synchronized void fault(String message) {
        faults.add(message);
        faultCount++;
    }

    private synchronized void done(BlobFile file, FaultsOfFile ofFile) {
        faults.addAll(ofFile.listed);
        faultCount += ofFile.count;
        filesDone++;
        bytesDone += file.meta.fileSize();
        progress.checked(filesDone, files.size(), bytesDone, byteCount);
    }

    /** A file to check. */
    private static final class BlobFile {

        private final DataFileMeta meta;
        private final DataFilePathFactory paths;

        private BlobFile(DataFileMeta meta, DataFilePathFactory paths) {
            this.meta = meta;
            this.paths = paths;
        }
    }

    /** The faults of one file, the first of which are listed. */
    private static final class FaultsOfFile implements Consumer<IOException> {

        private final List<String> listed = new ArrayList<>();
        private long count;

        @Override
        public void accept(IOException fault) {
            if (listed.size() < BlobVerification.MOST_FAULTS_OF_A_FILE) {
                listed.add(fault.getMessage());
            }
            count++;
        }
    }
}
