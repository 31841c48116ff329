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
 * A Paimon that updates blobs of a table in part, for measuring it. Driven through JDK types only,
 * and seldom, so that the measured work stays on the other side.
 */
public interface BlobUpdater extends Closeable {

    /** Opens a catalog; the options must name the warehouse. */
    void open(Map<String, String> catalogOptions) throws Exception;

    /**
     * Plans, writes and commits one update of a BLOB column.
     *
     * @param values row id to blob; all rows are of one group
     */
    void update(String table, String column, Map<Long, byte[]> values) throws Exception;

    @Override
    void close() throws IOException;
}
