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
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;

/** A stream that reports to a log what is done with it. */
class WatchedStream extends SeekableInputStream {

    private final StreamLog log;
    private final Path path;
    private final SeekableInputStream stream;
    private final int number;

    WatchedStream(StreamLog log, Path path, SeekableInputStream stream) {
        this.log = log;
        this.path = path;
        this.stream = stream;
        this.number = log.opened(this, path);
    }

    final StreamLog log() {
        return log;
    }

    final Path path() {
        return path;
    }

    final int number() {
        return number;
    }

    @Override
    public void seek(long desired) throws IOException {
        log.before(StreamOperation.Kind.SEEK, path, number, desired, 0);
        stream.seek(desired);
    }

    @Override
    public long getPos() throws IOException {
        return stream.getPos();
    }

    @Override
    public int read() throws IOException {
        log.before(StreamOperation.Kind.READ, path, number, stream.getPos(), 1);
        int read = stream.read();
        log.read(path, read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int max = log.before(StreamOperation.Kind.READ, path, number, stream.getPos(), length);
        int read = stream.read(bytes, offset, max);
        log.read(path, read);
        return read;
    }

    /** The stream is closed even where the fault throws, as a stream that fails to flush is. */
    @Override
    public void close() throws IOException {
        log.closed(this);
        stream.close();
        log.before(StreamOperation.Kind.CLOSE, path, number, 0, 0);
    }
}
