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

package org.apache.paimon.blobfallback.format.entry;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.format.EntryFrame;
import org.apache.paimon.blobfallback.format.io.BlobFileInput;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.CorruptBlobFileException;
import org.apache.paimon.blobfallback.format.io.ReadThreads;

/**
 * Reads the payloads of entries, with one request for entries that are close together in one file,
 * and checks each entry before its payload is handed out. Not thread-safe, but it makes several
 * requests at once where that is faster.
 */
public final class BlobEntryReader {

    /**
     * Length from which on a payload is read directly into its own array instead of being copied
     * out of a run.
     */
    private static final int DIRECT_LENGTH = 1 << 14;

    /**
     * Bytes that are read from a local disk at once: they stay in the processor's cache until they
     * are consumed.
     */
    private static final int LOCAL_BATCH_LENGTH = 1 << 20;

    private static final int LOCAL_RUN_LENGTH = 1 << 18;

    /** Minimum length of a run on an object store: a shorter request is mostly latency. */
    private static final int MIN_REMOTE_RUN_LENGTH = 1 << 20;

    private final BlobReadOptions options;
    private final ReadThreads threads;
    private final long longest;

    private byte[] buffer = new byte[0];

    /**
     * @param options what to check and the maximum gap between entries of one request
     * @param threads make requests in parallel
     * @param longest maximum length of an entry in bytes; longer ones are left out
     */
    public BlobEntryReader(BlobReadOptions options, ReadThreads threads, long longest) {
        this.options = options;
        this.threads = threads;
        this.longest = Math.min(longest, BlobFileLayout.MAX_ARRAY_LENGTH);
    }

    /**
     * Reads the payloads of as many of the next rows as fit into the buffer, at least of one.
     *
     * @param entries of the rows
     * @param from first row, inclusive
     * @param to last row, exclusive
     * @param payloads where to put the payloads, that of {@code from} first; null stays where there
     *     is no entry or one that is too long
     * @return end of the rows whose payloads were read, exclusive
     * @throws IOException if a file cannot be read, or an entry is not what its index says; it
     *     names the file and the place
     */
    public int read(BlobEntries entries, int from, int to, byte[][] payloads) throws IOException {
        Batch batch = new Batch(entries, from, to);
        if (batch.parallel && batch.runs.size() > 1) {
            List<ReadThreads.Task> tasks = new ArrayList<>(batch.runs.size());
            for (BlobRun run : batch.runs) {
                tasks.add(() -> read(run, new byte[0], entries, from, payloads));
            }
            threads.runAll(tasks);
        } else {
            for (BlobRun run : batch.runs) {
                buffer = read(run, buffer, entries, from, payloads);
            }
        }
        return batch.end;
    }

    /** Reads a run into a reused buffer, or into a longer one, which is returned. */
    private byte[] read(BlobRun run, byte[] spare, BlobEntries entries, int from, byte[][] payloads)
            throws IOException {
        byte[] used = spare;
        if (run.payloadBytes(entries.frame(run.row(0))) >= (long) DIRECT_LENGTH * run.count()) {
            readDirect(run, entries, from, payloads);
        } else {
            int length = (int) (run.end() - run.start());
            if (used.length < length) {
                used = new byte[length];
            }
            run.file().read(run.start(), used, length);
            cut(run, used, entries, from, payloads);
        }
        return used;
    }

    /** Copies the payloads out of a run. */
    private void cut(BlobRun run, byte[] bytes, BlobEntries entries, int from, byte[][] payloads)
            throws IOException {
        EntryFrame frame = entries.frame(run.row(0));
        for (int i = 0; i < run.count(); i++) {
            int row = run.row(i);
            int start = (int) (entries.offset(row) - run.start());
            int payloadStart = start + frame.headerLength();
            int payloadEnd = start + (int) entries.length(row) - frame.trailerLength();
            check(entries, row, frame.headerFault(bytes, start));
            check(entries, row, frame.trailerFault(bytes, payloadEnd, entries.length(row)));
            byte[] payload = Arrays.copyOfRange(bytes, payloadStart, payloadEnd);
            if (options.verifyChecksum()) {
                checkChecksum(entries, row, frame, payload, bytes, payloadEnd);
            }
            payloads[row - from] = payload;
        }
    }

    /** Reads a run with one request, each payload directly into its own array. */
    private void readDirect(BlobRun run, BlobEntries entries, int from, byte[][] payloads)
            throws IOException {
        EntryFrame frame = entries.frame(run.row(0));
        int count = run.count();
        int[] lengths = new int[2 * count + 1];
        long position = run.start();
        for (int i = 0; i < count; i++) {
            int row = run.row(i);
            long payloadStart = entries.offset(row) + frame.headerLength();
            int payloadLength = (int) entries.length(row) - frame.overhead();
            lengths[2 * i] = (int) (payloadStart - position);
            lengths[2 * i + 1] = payloadLength;
            position = payloadStart + payloadLength;
        }
        lengths[2 * count] = (int) (run.end() - position);
        byte[][] pieces = run.file().readPieces(run.start(), lengths);
        for (int i = 0; i < count; i++) {
            int row = run.row(i);
            byte[] before = pieces[2 * i];
            byte[] payload = pieces[2 * i + 1];
            byte[] behind = pieces[2 * i + 2];
            check(entries, row, frame.headerFault(before, before.length - frame.headerLength()));
            check(entries, row, frame.trailerFault(behind, 0, entries.length(row)));
            if (options.verifyChecksum()) {
                checkChecksum(entries, row, frame, payload, behind, 0);
            }
            payloads[row - from] = payload;
        }
    }

    /** Checks the CRC32 of an entry whose trailer starts at a position. */
    private static void checkChecksum(
            BlobEntries entries,
            int row,
            EntryFrame frame,
            byte[] payload,
            byte[] bytes,
            int position)
            throws IOException {
        CRC32 crc = new CRC32();
        frame.begin(crc);
        crc.update(payload, 0, payload.length);
        check(entries, row, frame.checksumFault(crc, bytes, position));
    }

    private static void check(BlobEntries entries, int row, @Nullable String fault)
            throws IOException {
        if (fault != null) {
            throw CorruptBlobFileException.corrupt(
                    entries.file(row).path(),
                    "in the entry at position %s, %s",
                    entries.offset(row),
                    fault);
        }
    }

    /** The rows that are read together, and the requests for them. */
    private final class Batch {

        private final BlobEntries entries;
        private final List<BlobRun> runs = new ArrayList<>();
        private final BlobRun[] lastRuns;

        private int end;
        private boolean parallel;
        private long bytes;
        private long maxBytes;
        private long maxRunBytes;
        private long maxGap;

        private Batch(BlobEntries entries, int from, int to) {
            this.entries = entries;
            this.lastRuns = new BlobRun[entries.fileCount()];
            end = from;
            while (end < to && (!isWanted(end) || add(end))) {
                end++;
            }
        }

        private boolean isWanted(int row) {
            return entries.has(row) && entries.length(row) <= longest;
        }

        /** Adds the entry of a row to the run before it or to a new one, if there is room. */
        private boolean add(int row) {
            if (runs.isEmpty()) {
                chooseSizes(entries.file(row));
            }
            int fileNumber = entries.fileOf(row);
            long offset = entries.offset(row);
            long length = entries.length(row);
            BlobRun run = lastRuns[fileNumber];
            long before = run == null ? resumePosition(entries.file(row)) : run.end();
            long gap = offset - before;
            boolean close = 0 <= gap && gap <= maxGap;
            long more = length + (close ? gap : 0);
            if (bytes + more > maxBytes && !runs.isEmpty()) {
                return false;
            }
            bytes += more;
            if (run == null || !close || offset + length - run.start() > maxRunBytes) {
                // If a run was cut only because of its length, the next one continues the request
                // before it.
                boolean goesOn = close && !parallel;
                run = new BlobRun(entries.file(row), goesOn ? before : offset);
                lastRuns[fileNumber] = run;
                runs.add(run);
            }
            run.add(row, offset, length);
            return true;
        }

        private long resumePosition(BlobFileInput file) {
            return parallel || !options.goesOn() ? BlobFileInput.NOWHERE : file.lastEnd();
        }

        private void chooseSizes(BlobFileInput file) {
            if (file.isLocal()) {
                maxBytes = Math.min(options.bufferSize(), LOCAL_BATCH_LENGTH);
                maxRunBytes = Math.min(options.bufferSize(), LOCAL_RUN_LENGTH);
            } else if (threads.canHelp()) {
                parallel = true;
                maxBytes = (options.bufferSize() + 1) / 2;
                maxRunBytes =
                        Math.min(
                                maxBytes,
                                Math.max(MIN_REMOTE_RUN_LENGTH, maxBytes / threads.parallelism()));
            } else {
                maxBytes = options.bufferSize();
                maxRunBytes = maxBytes;
            }
            maxGap = Math.min(options.coalesceGap(), maxRunBytes);
        }
    }
}
