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

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileIOLoader;
import org.apache.paimon.fs.Path;

/** Opens a counted local disk. */
public final class DiskLoader implements FileIOLoader {

    private static final long serialVersionUID = 1L;

    @Override
    public String getScheme() {
        return MeteredFileIO.DISK_SCHEME;
    }

    @Override
    public FileIO load(Path path) {
        return new MeteredFileIO(false);
    }
}
