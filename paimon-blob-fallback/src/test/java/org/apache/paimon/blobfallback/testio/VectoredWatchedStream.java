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
import org.apache.paimon.fs.VectoredReadable;

/** A watched stream that can also be read by position. */
final class VectoredWatchedStream extends WatchedStream implements VectoredReadable {

    private final VectoredReadable readable;

    VectoredWatchedStream(
            StreamLog log, Path path, SeekableInputStream stream, VectoredReadable readable) {
        super(log, path, stream);
        this.readable = readable;
    }

    @Override
    public int pread(long position, byte[] buffer, int offset, int length) throws IOException {
        int max = log().before(StreamOperation.Kind.READ, path(), number(), position, length);
        int read = readable.pread(position, buffer, offset, max);
        log().read(path(), read);
        return read;
    }
}
