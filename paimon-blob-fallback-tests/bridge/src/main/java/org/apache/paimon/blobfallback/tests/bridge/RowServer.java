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
 * A Paimon that reads blobs of a table by row id, for measuring it. Driven through JDK types only,
 * and seldom, so that the measured work stays on the other side.
 */
public interface RowServer extends Closeable {

    /** Opens a catalog; the options must name the warehouse. */
    void open(Map<String, String> catalogOptions) throws Exception;

    /** Opens a reader of a BLOB column of a table and closes the one before. */
    void serve(String table, String column) throws Exception;

    /** Reads rows with one call. */
    PaimonScanner.Scan read(long[] rowIds) throws Exception;

    /** Reads rows with a call for each. */
    PaimonScanner.Scan readEach(long[] rowIds) throws Exception;

    /**
     * Reads nothing but the bytes of each row's blob, each with one read by position of its file,
     * which is open.
     *
     * @return what does that, again and again
     */
    Reads positionsOf(long[] rowIds) throws Exception;

    @Override
    void close() throws IOException;

    /** Plain reads of a file. */
    interface Reads extends Closeable {

        /** Makes all of them. */
        PaimonScanner.Scan read() throws IOException;

        @Override
        void close() throws IOException;
    }
}
