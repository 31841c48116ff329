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
import java.util.Map;

/**
 * A Paimon that reads a table from end to end and keeps nothing, for measuring it. Driven through
 * JDK types only, and seldom, so that the measured work stays on the other side.
 */
public interface PaimonScanner extends Closeable {

    /** Opens a catalog; the options must name the warehouse. */
    void open(Map<String, String> catalogOptions) throws Exception;

    /** Plans a read; {@link #scan()} reads what was planned last. */
    void plan(ReadRequest request) throws Exception;

    /**
     * Reads all planned splits, one after the other, and takes each blob's bytes, or where they are
     * if the request asks for descriptors.
     */
    Scan scan() throws Exception;

    /**
     * Like {@link #scan()}, but stops now and then for a look from outside.
     *
     * @param everyRows number of rows between two looks
     * @param look is called while the readers are open
     */
    Scan scan(long everyRows, Runnable look) throws Exception;

    @Override
    void close() throws IOException;

    /**
     * What a scan saw.
     *
     * @param rows number of rows
     * @param blobs number of blobs that are not null
     * @param blobBytes length of all blobs together
     */
    record Scan(long rows, long blobs, long blobBytes) {}
}
