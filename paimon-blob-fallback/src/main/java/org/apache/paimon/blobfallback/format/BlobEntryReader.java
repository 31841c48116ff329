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

package org.apache.paimon.blobfallback.format;

import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_HEADER_LENGTH;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_MAGIC;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_OVERHEAD;
import static org.apache.paimon.blobfallback.format.BlobFileLayout.ENTRY_TRAILER_LENGTH;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Reads the payloads of entries, those that lie close together in one file with one request, and
 * checks each entry before its payload is handed out. Not for several threads at once, but it makes
 * several requests at once where that pays.
 */
public final class BlobEntryReader {

    /** From here on a payload is read straight into its array instead of being cut out of a run. */
    private static final int DIRECT_LENGTH = 1 << 14;

    /** What a local disk is read by: it stays in the processor's cache until it is consumed. */
    private static final int LOCAL_BATCH_LENGTH = 1 << 20;

    private static final int LOCAL_RUN_LENGTH = 1 << 18;

    /** A request for less is mostly latency. */
    private static final int LEAST_REMOTE_RUN_LENGTH = 1 << 20;

    private final BlobReadOptions options;
    private final OpenBlobFiles openFiles;
    private final ReadThreads threads;
    private final long longest;

    private byte[] buffer = new byte[0];

    /**
     * @param options what to check and how far apart entries of one request may lie
     * @param openFiles is told of the files that are read
     * @param threads make requests at once
     * @param longest bytes of an entry; longer ones are left out
     */
    public BlobEntryReader(
            BlobReadOptions options, OpenBlobFiles openFiles, ReadThreads threads, long longest) {
        this.options = options;
        this.openFiles = openFiles;
        this.threads = threads;
        this.longest = Math.min(longest, BlobFileLayout.MAX_ARRAY_LENGTH);
    }

    /** Is told of the files that are read. */
    OpenBlobFiles openFiles() {
        return openFiles;
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

    /** Reads a run with a buffer that is used again, or a longer one, which is returned. */
    private byte[] read(BlobRun run, byte[] spare, BlobEntries entries, int from, byte[][] payloads)
            throws IOException {
        byte[] used = spare;
        if (run.payloadBytes() >= (long) DIRECT_LENGTH * run.count()) {
            readDirect(run, entries, from, payloads);
        } else {
            int length = (int) (run.end() - run.start());
            if (used.length < length) {
                used = new byte[length];
            }
            run.file().read(run.start(), used, length);
            cut(run, used, entries, from, payloads);
        }
        openFiles.touch(run.file());
        return used;
    }

    /** Copies the payloads out of a run. */
    private void cut(BlobRun run, byte[] bytes, BlobEntries entries, int from, byte[][] payloads)
            throws IOException {
        ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < run.count(); i++) {
            int row = run.row(i);
            int start = (int) (entries.offset(row) - run.start());
            int payloadStart = start + ENTRY_HEADER_LENGTH;
            int payloadEnd = start + (int) entries.length(row) - ENTRY_TRAILER_LENGTH;
            checkMagic(entries, row, numbers.getInt(start));
            checkLength(entries, row, numbers.getLong(payloadEnd));
            byte[] payload = Arrays.copyOfRange(bytes, payloadStart, payloadEnd);
            if (options.verifyChecksum()) {
                checkChecksum(entries, row, payload, bytes, payloadEnd);
            }
            payloads[row - from] = payload;
        }
    }

    /** Reads a run as one request, each payload straight into its array. */
    private void readDirect(BlobRun run, BlobEntries entries, int from, byte[][] payloads)
            throws IOException {
        int count = run.count();
        int[] lengths = new int[2 * count + 1];
        long position = run.start();
        for (int i = 0; i < count; i++) {
            int row = run.row(i);
            long payloadStart = entries.offset(row) + ENTRY_HEADER_LENGTH;
            int payloadLength = (int) entries.length(row) - ENTRY_OVERHEAD;
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
            checkMagic(
                    entries,
                    row,
                    BlobFileLayout.intAt(before, before.length - ENTRY_HEADER_LENGTH));
            checkLength(entries, row, BlobFileLayout.longAt(behind, 0));
            if (options.verifyChecksum()) {
                checkChecksum(entries, row, payload, behind, 0);
            }
            payloads[row - from] = payload;
        }
    }

    private static void checkMagic(BlobEntries entries, int row, int magic) throws IOException {
        if (magic != ENTRY_MAGIC) {
            throw corrupt(
                    entries,
                    row,
                    String.format("expected the magic %d, found %d", ENTRY_MAGIC, magic));
        }
    }

    private static void checkLength(BlobEntries entries, int row, long length) throws IOException {
        if (length != entries.length(row)) {
            throw corrupt(
                    entries,
                    row,
                    String.format(
                            "its index says %d bytes, the entry itself says %d",
                            entries.length(row), length));
        }
    }

    /** Checks the CRC32 of an entry whose trailer starts at a position. */
    private static void checkChecksum(
            BlobEntries entries, int row, byte[] payload, byte[] bytes, int position)
            throws IOException {
        CRC32 crc = new CRC32();
        crc.update(BlobFileLayout.ENTRY_MAGIC_BYTES, 0, ENTRY_HEADER_LENGTH);
        crc.update(payload, 0, payload.length);
        crc.update(bytes, position, Long.BYTES);
        int found = BlobFileLayout.intAt(bytes, position + Long.BYTES);
        if ((int) crc.getValue() != found) {
            throw corrupt(
                    entries,
                    row,
                    String.format(
                            "expected the CRC32 %08x that the entry says, found %08x",
                            found, crc.getValue()));
        }
    }

    private static IOException corrupt(BlobEntries entries, int row, String problem) {
        return BlobFileException.corrupt(
                entries.file(row).path(),
                "in the entry at position %d, %s",
                entries.offset(row),
                problem);
    }

    /** The rows that are read together, and the requests for them. */
    private final class Batch {

        private final BlobEntries entries;
        private final List<BlobRun> runs = new ArrayList<>();
        private final BlobRun[] lastRuns;

        private int end;
        private boolean parallel;
        private long bytes;
        private long mostBytes;
        private long mostRunBytes;
        private long mostGap;

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
            boolean close = 0 <= gap && gap <= mostGap;
            long more = length + (close ? gap : 0);
            if (bytes + more > mostBytes && !runs.isEmpty()) {
                return false;
            }
            bytes += more;
            if (run == null || !close || offset + length - run.start() > mostRunBytes) {
                // A run that is only cut by its length goes on with the request before it.
                boolean goesOn = close && !parallel;
                run = new BlobRun(entries.file(row), goesOn ? before : offset);
                lastRuns[fileNumber] = run;
                runs.add(run);
            }
            run.add(row, offset, length);
            return true;
        }

        private long resumePosition(BlobFileInput file) {
            return parallel ? BlobFileInput.NOWHERE : file.lastEnd();
        }

        private void chooseSizes(BlobFileInput file) {
            if (file.isLocal()) {
                mostBytes = Math.min(options.bufferSize(), LOCAL_BATCH_LENGTH);
                mostRunBytes = Math.min(options.bufferSize(), LOCAL_RUN_LENGTH);
            } else if (threads.canHelp()) {
                parallel = true;
                mostBytes = (options.bufferSize() + 1) / 2;
                mostRunBytes =
                        Math.min(
                                mostBytes,
                                Math.max(
                                        LEAST_REMOTE_RUN_LENGTH,
                                        mostBytes / threads.parallelism()));
            } else {
                mostBytes = options.bufferSize();
                mostRunBytes = mostBytes;
            }
            mostGap = Math.min(options.coalesceGap(), mostRunBytes);
        }
    }
}
