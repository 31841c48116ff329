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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.column.BlobColumnType;
import org.apache.paimon.blobfallback.format.file.BlobFileCheck;
import org.apache.paimon.blobfallback.format.index.BlobIndex;
import org.apache.paimon.blobfallback.format.io.BlobFileException;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.host.TimeTravel;
import org.apache.paimon.blobfallback.layers.FileColumns;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.layers.Layer;
import org.apache.paimon.blobfallback.read.blobs.FileFaults;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.shade.guava30.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.snapshot.TimeTravelUtil;
import org.apache.paimon.utils.Pair;

/**
 * Checks all blob files of a table's snapshot: each file's size and index, each entry's magic,
 * length and CRC32, and the rules of layers and groups. After a fault the check continues.
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
     * @param progress is notified after each file
     */
    public BlobVerifier(FileStoreTable table, VerifyProgress progress) {
        this.table = TimeTravel.toPoint(table);
        this.progress = progress;
        this.columns = new FileColumns(table.fullName(), table.schemaManager(), table.schema());
    }

    /**
     * Runs the check. May be called once.
     *
     * @param threads that read files at the same time
     * @throws IOException if the check itself cannot continue; faults of the table's files are in
     *     the report
     */
    public BlobVerification verify(int threads) throws IOException {
        if (table.coreOptions().dataEvolutionEnabled()) {
            collect(TimeTravelUtil.tryTravelOrLatest(table));
        }
        checkFiles(threads);
        return new BlobVerification(table.fullName(), files.size(), byteCount, faultCount, faults);
    }

    /** Checks the metadata of all files, and collects the blob files. */
    private void collect(@Nullable Snapshot snapshot) {
        if (snapshot == null) {
            return;
        }
        LostRowIds lost = new LostRowIds(table);
        Map<Pair<BinaryRow, Integer>, List<DataFileMeta>> buckets = new LinkedHashMap<>();
        String remedy = null;
        for (ManifestEntry entry : lost.files(snapshot)) {
            if (entry.file().firstRowId() == null && remedy == null) {
                remedy = lost.remedy(snapshot);
            }
            buckets.computeIfAbsent(
                            Pair.of(entry.partition(), entry.bucket()), any -> new ArrayList<>())
                    .add(entry.file());
        }
        for (Map.Entry<Pair<BinaryRow, Integer>, List<DataFileMeta>> bucket : buckets.entrySet()) {
            DataFilePathFactory paths =
                    table.store()
                            .pathFactory()
                            .createDataFilePathFactory(
                                    bucket.getKey().getLeft(), bucket.getKey().getRight());
            collect(bucket.getValue(), paths, remedy);
        }
    }

    private void collect(List<DataFileMeta> ofBucket, DataFilePathFactory paths, String remedy) {
        List<DataFileMeta> placed = new ArrayList<>();
        Map<Integer, List<DataFileMeta>> blobFiles = new HashMap<>();
        for (DataFileMeta file : ofBucket) {
            boolean isBlobFile = BlobFileFormat.isBlobFile(file.fileName());
            boolean hasRowIds = file.firstRowId() != null;
            if (hasRowIds) {
                placed.add(file);
            } else {
                fault(
                        String.format(
                                "%s file %s has no first row id. %s",
                                isBlobFile ? "Blob" : "Normal", paths.toPath(file), remedy));
            }
            if (!isBlobFile) {
                continue;
            }
            files.add(new BlobFile(file, paths));
            byteCount += file.fileSize();
            if (!hasRowIds) {
                continue;
            }
            try {
                blobFiles
                        .computeIfAbsent(columns.blobFieldId(file), ignored -> new ArrayList<>())
                        .add(file);
            } catch (IllegalArgumentException e) {
                fault(e.getMessage());
            }
        }
        blobFiles.values().stream()
                .flatMap(files -> Layer.of(files).stream())
                .flatMap(layer -> layer.overlaps(paths).stream())
                .forEach(this::fault);
        try {
            Group.ofFiles(placed);
        } catch (IllegalArgumentException e) {
            fault(e.getMessage());
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
            throw new IOException(
                    "Failed to check " + table.fullName() + ": " + e.getCause().getMessage(),
                    e.getCause());
        } finally {
            executor.shutdownNow();
            // After a failure no thread may continue to read.
            Uninterruptibles.awaitTerminationUninterruptibly(executor);
        }
    }

    private Void check(BlobFile file) throws IOException {
        FaultsOfFile ofFile = new FaultsOfFile();
        try (BlobFileInput input =
                new BlobFileInput(
                        table.fileIO(), file.paths.toPath(file.meta), file.meta.fileSize())) {
            try {
                input.file().checkSize();
                new BlobFileCheck(
                                input,
                                BlobIndex.read(input, file.meta.rowCount()),
                                columnType(file.meta),
                                ofFile)
                        .run();
            } catch (BlobFileException e) {
                ofFile.accept(FileFaults.ofFile(input, e));
            } catch (IllegalArgumentException | UnsupportedOperationException e) {
                ofFile.accept(
                        new IOException("Blob file " + input.path() + ": " + e.getMessage(), e));
            }
        }
        done(file, ofFile);
        return null;
    }

    /** The type of a file's column as it was when the file was written. */
    private BlobColumnType columnType(DataFileMeta file) {
        int fieldId = columns.blobFieldId(file);
        return BlobColumnType.of(table.fullName(), columns.rowType(file).getField(fieldId));
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

    /** The faults of one file; only the first ones are listed. */
    private static final class FaultsOfFile implements Consumer<IOException> {

        private final List<String> listed = new ArrayList<>();
        private long count;

        @Override
        public void accept(IOException fault) {
            if (listed.size() < BlobVerification.MAX_FAULTS_OF_A_FILE) {
                listed.add(fault.getMessage());
            }
            count++;
        }
    }
}
