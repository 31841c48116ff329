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

package org.apache.paimon.blobfallback.tests.bridge;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * An object store that listens on loopback, holds its objects in memory, and notes what it does.
 */
public interface ObjectStore extends Closeable {

    /**
     * Starts the store, empty.
     *
     * @return the options that a catalog needs for a warehouse in it, {@code warehouse} among them
     * @throws Exception if it cannot listen
     */
    Map<String, String> start() throws Exception;

    /** Forgets the requests so far. */
    void reset();

    /** The requests for objects' bytes since the last reset, in the order in which they began. */
    List<Get> gets();

    /** Number of requests for what an object is like, since the last reset. */
    int heads();

    /** The keys of all objects, in their order. */
    List<String> keys();

    /**
     * A request for bytes.
     *
     * @param key of the object
     * @param from position of the first byte that was asked for
     * @param length number of bytes that were asked for
     * @param sent number of bytes that went out; fewer where the caller has hung up
     */
    record Get(String key, long from, long length, long sent) {

        /** Whether it is a blob file. */
        public boolean isBlob() {
            return key.endsWith(".blob");
        }
    }

    /** Stops the store, which forgets its objects. */
    @Override
    void close() throws IOException;
}
