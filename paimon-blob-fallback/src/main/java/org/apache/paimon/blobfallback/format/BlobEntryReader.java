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

import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Reads the payloads of entries, those that lie close together in one file with one request, and
 * checks each entry before its payload is handed out.
 */
public final class BlobEntryReader {

    /** From here on a payload is read straight into its array instead of being cut out of a run. */
    private static final int DIRECT_LENGTH = 1 << 14;

    private final BlobReadOptions options;
    private final OpenBlobFiles openFiles;

    /**
     * @param options what to check and how far apart entries of one request may lie
     * @param openFiles is told of the files that are read
     */
    public BlobEntryReader(BlobReadOptions options, OpenBlobFiles openFiles) {
        this.options = options;
        this.openFiles = openFiles;
    }

    /** Is told of the files that are read. */
    OpenBlobFiles openFiles() {
        return openFiles;
    }

    /**
     * How many of the first entries are to be read together so that the bytes of their requests
     * stay within the buffer.
     *
     * @param entries one a row, null where there is nothing to read
     * @param from first entry, inclusive
     * @param to last entry, exclusive
     * @return end of the batch, exclusive; at least one more than {@code from}
     */
    public int batchEnd(BlobEntry[] entries, int from, int to) {
        Map<BlobFileInput, Long> ends = new IdentityHashMap<>();
        long bytes = 0;
        for (int i = from; i < to; i++) {
            BlobEntry entry = entries[i];
            if (entry == null) {
                continue;
            }
            Long end = ends.put(entry.file(), entry.end());
            bytes += entry.length();
            if (end != null && entry.offset() - end <= options.coalesceGap()) {
                bytes += entry.offset() - end;
            }
            if (bytes > options.bufferSize()) {
                return Math.max(i, from + 1);
            }
        }
        return to;
    }

    /**
     * Reads the payloads of a batch.
     *
     * @param entries one a row, null where there is nothing to read; entries of one file are in the
     *     order of the file
     * @param from first entry, inclusive
     * @param to last entry, exclusive
     * @param payloads where to put the payloads, at the index of their entries
     * @throws IOException if a file cannot be read, or an entry is not what its index says; it
     *     names the file and the place
     */
    public void read(BlobEntry[] entries, int from, int to, byte[][] payloads) throws IOException {
        for (Run run : runs(entries, from, to)) {
            if (run.isDirect()) {
                readDirect(run, payloads);
            } else {
                readAndCut(run, payloads);
            }
            openFiles.touch(run.file());
        }
    }

    private List<Run> runs(BlobEntry[] entries, int from, int to) {
        List<Run> runs = new ArrayList<>();
        Map<BlobFileInput, Run> last = new IdentityHashMap<>();
        for (int i = from; i < to; i++) {
            BlobEntry entry = entries[i];
            if (entry == null) {
                continue;
            }
            Run run = last.get(entry.file());
            if (run == null || !run.add(entry, i, options)) {
                run = new Run(entry, i);
                last.put(entry.file(), run);
                runs.add(run);
            }
        }
        return runs;
    }

    /** Reads a run as a whole and copies the payloads out of it. */
    private void readAndCut(Run run, byte[][] payloads) throws IOException {
        byte[] bytes = run.file().read(run.offset(), (int) (run.end() - run.offset()));
        for (int i = 0; i < run.entries.size(); i++) {
            BlobEntry entry = run.entries.get(i);
            int start = (int) (entry.offset() - run.offset());
            int payloadLength = (int) entry.payloadLength();
            byte[] payload = new byte[payloadLength];
            System.arraycopy(bytes, start + ENTRY_HEADER_LENGTH, payload, 0, payloadLength);
            checkHeader(entry, bytes, start);
            checkTrailer(entry, payload, bytes, start + ENTRY_HEADER_LENGTH + payloadLength);
            payloads[run.indexes.get(i)] = payload;
        }
    }

    /** Reads a run as one request, each payload straight into its array. */
    private void readDirect(Run run, byte[][] payloads) throws IOException {
        int count = run.entries.size();
        byte[][] pieces = new byte[2 * count + 1][];
        pieces[0] = new byte[ENTRY_HEADER_LENGTH];
        for (int i = 0; i < count; i++) {
            BlobEntry entry = run.entries.get(i);
            long next = i + 1 < count ? run.entries.get(i + 1).payloadOffset() : entry.end();
            long payloadEnd = entry.payloadOffset() + entry.payloadLength();
            pieces[2 * i + 1] = new byte[(int) entry.payloadLength()];
            pieces[2 * i + 2] = new byte[(int) (next - payloadEnd)];
        }
        run.file().read(run.offset(), pieces);
        for (int i = 0; i < count; i++) {
            byte[] before = pieces[2 * i];
            byte[] payload = pieces[2 * i + 1];
            checkHeader(run.entries.get(i), before, before.length - ENTRY_HEADER_LENGTH);
            checkTrailer(run.entries.get(i), payload, pieces[2 * i + 2], 0);
            payloads[run.indexes.get(i)] = payload;
        }
    }

    private static void checkHeader(BlobEntry entry, byte[] bytes, int position)
            throws IOException {
        int magic = BlobFileLayout.intAt(bytes, position);
        if (magic != ENTRY_MAGIC) {
            throw corrupt(
                    entry, String.format("expected the magic %d, found %d", ENTRY_MAGIC, magic));
        }
    }

    private void checkTrailer(BlobEntry entry, byte[] payload, byte[] bytes, int position)
            throws IOException {
        long length = BlobFileLayout.longAt(bytes, position);
        if (length != entry.length()) {
            throw corrupt(
                    entry,
                    String.format(
                            "its index says %d bytes, the entry itself says %d",
                            entry.length(), length));
        }
        if (options.verifyChecksum()) {
            CRC32 crc = new CRC32();
            crc.update(BlobFileLayout.ENTRY_MAGIC_BYTES, 0, ENTRY_HEADER_LENGTH);
            crc.update(payload, 0, payload.length);
            crc.update(bytes, position, Long.BYTES);
            int found = BlobFileLayout.intAt(bytes, position + Long.BYTES);
            if ((int) crc.getValue() != found) {
                throw corrupt(
                        entry,
                        String.format(
                                "expected the CRC32 %08x that the entry says, found %08x",
                                found, crc.getValue()));
            }
        }
    }

    private static IOException corrupt(BlobEntry entry, String problem) {
        return BlobFileException.corrupt(
                entry.file().path(), "in the entry at position %d, %s", entry.offset(), problem);
    }

    /** Entries of one file that are read with one request. */
    private static final class Run {

        private final List<BlobEntry> entries = new ArrayList<>();
        private final List<Integer> indexes = new ArrayList<>();
        private long payloadBytes;

        private Run(BlobEntry first, int index) {
            append(first, index);
        }

        private boolean add(BlobEntry entry, int index, BlobReadOptions options) {
            if (entry.offset() - end() > options.coalesceGap()
                    || entry.end() - offset() > options.bufferSize()) {
                return false;
            }
            append(entry, index);
            return true;
        }

        private void append(BlobEntry entry, int index) {
            entries.add(entry);
            indexes.add(index);
            payloadBytes += entry.payloadLength();
        }

        private boolean isDirect() {
            return payloadBytes >= (long) DIRECT_LENGTH * entries.size();
        }

        private BlobFileInput file() {
            return entries.get(0).file();
        }

        private long offset() {
            return entries.get(0).offset();
        }

        private long end() {
            return entries.get(entries.size() - 1).end();
        }
    }
}
