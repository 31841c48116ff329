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
import org.apache.paimon.fs.VectoredReadable;
import org.apache.paimon.fs.local.LocalFileIO.LocalSeekableInputStream;

/** A local file: no delay, and several threads may read it by position. */
final class DiskInputStream extends MeteredInputStream implements VectoredReadable {

    DiskInputStream(LocalSeekableInputStream in, boolean counted) {
        super(in, counted);
    }

    @Override
    public int pread(long position, byte[] bytes, int offset, int length) throws IOException {
        return length == 0 ? 0 : readAt(position, bytes, offset, length);
    }
}
