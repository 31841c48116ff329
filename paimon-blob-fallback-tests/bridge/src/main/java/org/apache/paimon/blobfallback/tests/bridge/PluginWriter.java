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

/** The plugin as a writer, with an interface of JDK types only. Each call is at most one commit. */
public interface PluginWriter extends Closeable {

    /** Opens a catalog; the options must name the warehouse. */
    void open(Map<String, String> catalogOptions) throws Exception;

    /**
     * Updates a BLOB column of some rows.
     *
     * @param values row id to blob or null
     */
    void update(String table, String column, Map<Long, byte[]> values) throws Exception;

    /**
     * Updates a BLOB column of the rows that pass a filter.
     *
     * @param value the blob, or null
     * @return how many rows that were
     */
    long updateWhere(String table, ReadRequest.Filter filter, String column, byte[] value)
            throws Exception;

    /** Rewrites the blob files to one layer a group. */
    void flatten(String table) throws Exception;

    /**
     * Builds a global index of a column by the host's means, {@code btree} or {@code bitmap}, over
     * rows without one of that type.
     */
    void indexGlobally(String table, String column, String type) throws Exception;

    @Override
    void close() throws IOException;
}
