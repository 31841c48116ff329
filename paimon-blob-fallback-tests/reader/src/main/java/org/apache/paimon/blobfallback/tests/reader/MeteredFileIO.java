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
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;

/**
 * Local files under another scheme, with a {@link StorageMeter} in between: as a local disk, whose
 * streams can be read by position, or as an object store, whose streams cannot and which is as slow
 * as the meter says.
 */
public final class MeteredFileIO extends LocalFileIO {

    /** Scheme of local files that are counted. */
    public static final String DISK_SCHEME = "metered-disk";

    /** Scheme of local files that behave like an object store. */
    public static final String STORE_SCHEME = "metered-store";

    private static final long serialVersionUID = 1L;

    private final boolean store;

    /**
     * @param store whether it behaves like an object store
     */
    public MeteredFileIO(boolean store) {
        this.store = store;
    }

    @Override
    public boolean isObjectStore() {
        return store;
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        boolean counted = path.getName().endsWith(".blob");
        LocalSeekableInputStream in = new LocalSeekableInputStream(toFile(path));
        if (store) {
            StorageMeter.awaitRequest();
            return new StoreInputStream(in, counted);
        }
        return new DiskInputStream(in, counted);
    }
}
