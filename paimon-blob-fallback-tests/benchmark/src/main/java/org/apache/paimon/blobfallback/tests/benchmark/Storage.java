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

package org.apache.paimon.blobfallback.tests.benchmark;

import org.apache.paimon.blobfallback.tests.bridge.StorageMeter;

/** Where the files are, or seem to be. */
enum Storage {
    /** The local disk through the host's own file system, nothing in between. */
    DISK("file", StorageMeter.Store.FAST),
    /** The local disk, counted. */
    COUNTED_DISK("metered-disk", StorageMeter.Store.FAST),
    /** An object store without delay, counted. */
    COUNTED_STORE("metered-store", StorageMeter.Store.FAST),
    /** An object store that takes 1 ms for each range that is asked for. */
    STORE_1_MS("metered-store", new StorageMeter.Store(1_000, 0, 0)),
    /** An object store that takes 5 ms for each range that is asked for. */
    STORE_5_MS("metered-store", new StorageMeter.Store(5_000, 0, 0)),
    /** An object store that takes 20 ms for each range that is asked for. */
    STORE_20_MS("metered-store", new StorageMeter.Store(20_000, 0, 0)),
    /** An object store that takes 50 ms for each range that is asked for. */
    STORE_50_MS("metered-store", new StorageMeter.Store(50_000, 0, 0)),
    /** The same behind a Hadoop stream: moves of up to 1 MiB read on, 100 MB/s a stream. */
    HADOOP_STORE_20_MS("metered-store", new StorageMeter.Store(20_000, 100_000_000, 1 << 20));

    private final String scheme;
    private final StorageMeter.Store behaviour;

    Storage(String scheme, StorageMeter.Store behaviour) {
        this.scheme = scheme;
        this.behaviour = behaviour;
    }

    /** The warehouse as this storage calls it. */
    String warehouse(String path) {
        return scheme + ":" + path;
    }

    /** How the store behaves. */
    StorageMeter.Store behaviour() {
        return behaviour;
    }
}
