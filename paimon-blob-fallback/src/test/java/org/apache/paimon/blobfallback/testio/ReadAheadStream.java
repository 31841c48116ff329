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

package org.apache.paimon.blobfallback.testio;

import java.io.IOException;
import org.apache.paimon.fs.SeekableInputStream;

/** A stream that fetches the bytes of small reads in larger pieces from another stream. */
final class ReadAheadStream extends SeekableInputStream {

    private final SeekableInputStream stream;
    private final byte[] piece = new byte[1 << 13];
    private int next;
    private int end;

    ReadAheadStream(SeekableInputStream stream) {
        this.stream = stream;
    }

    @Override
    public void seek(long desired) throws IOException {
        next = 0;
        end = 0;
        stream.seek(desired);
    }

    @Override
    public long getPos() throws IOException {
        return stream.getPos() - (end - next);
    }

    @Override
    public int read() throws IOException {
        return fill() ? piece[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, end - next);
        System.arraycopy(piece, next, bytes, offset, count);
        next += count;
        return count;
    }

    private boolean fill() throws IOException {
        if (next == end) {
            next = 0;
            end = Math.max(0, stream.read(piece, 0, piece.length));
        }
        return next < end;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
