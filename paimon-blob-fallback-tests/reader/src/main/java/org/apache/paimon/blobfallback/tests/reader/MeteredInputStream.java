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

package org.apache.paimon.blobfallback.tests.reader;

import java.io.IOException;
import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO.LocalSeekableInputStream;

/** A stream that tells the meter what is read from it. */
abstract class MeteredInputStream extends SeekableInputStream {

    private static final long NOWHERE = -1;

    private final LocalSeekableInputStream in;
    private final boolean counted;

    /** Where the last request has got to. Reads in parallel may each be taken for a request. */
    private volatile long requestPosition = NOWHERE;

    private boolean closed;

    /**
     * @param counted whether its reads are counted
     */
    MeteredInputStream(LocalSeekableInputStream in, boolean counted) {
        this.in = in;
        this.counted = counted;
        if (counted) {
            StorageMeter.opened();
        }
    }

    /** A request is about to be made. */
    void awaitRequest() {}

    /** Bytes are about to arrive. */
    void awaitBytes(long bytes) {}

    /** Longest way forward that a request reads on rather than being given up for another one. */
    long longestReadOn() {
        return 0;
    }

    @Override
    public void seek(long desired) throws IOException {
        long forward = desired - requestPosition;
        if (requestPosition == in.getPos() && forward > 0 && forward <= longestReadOn()) {
            afterRead((int) forward);
        }
        in.seek(desired);
    }

    @Override
    public long getPos() throws IOException {
        return in.getPos();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        beforeRead(in.getPos());
        return afterRead(in.read(bytes, offset, length));
    }

    /** A read by position. */
    int readAt(long position, byte[] bytes, int offset, int length) throws IOException {
        beforeRead(position);
        return afterRead(in.pread(position, bytes, offset, length));
    }

    private void beforeRead(long position) {
        if (position != requestPosition) {
            requestPosition = position;
            if (counted) {
                StorageMeter.requested();
            }
            awaitRequest();
        }
    }

    private int afterRead(int bytes) {
        if (bytes > 0) {
            requestPosition += bytes;
            if (counted) {
                StorageMeter.read(bytes);
            }
            awaitBytes(bytes);
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            if (counted) {
                StorageMeter.closed();
            }
            in.close();
        }
    }
}
