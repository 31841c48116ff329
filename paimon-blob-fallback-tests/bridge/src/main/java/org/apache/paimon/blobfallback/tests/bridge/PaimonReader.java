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
import java.util.OptionalLong;

/**
 * A Paimon that reads tables, driven through JDK types only.
 *
 * <p>Values come as in {@link PaimonWriter}; a blob comes as {@code byte[]}, and with {@code
 * blob-as-descriptor} as {@link Descriptor}.
 */
public interface PaimonReader extends Closeable {

    /** Opens a catalog; the options must name the warehouse. */
    void open(Map<String, String> catalogOptions) throws Exception;

    /**
     * Plans and reads, split by split.
     *
     * @return the rows in the order in which they came
     * @throws Exception what the Paimon behind it throws
     */
    List<List<Object>> read(ReadRequest request) throws Exception;

    /**
     * Plans and reads what one snapshot has changed, as a streaming read does when it comes to it.
     *
     * @param snapshot whose new files are read
     * @throws Exception what the Paimon behind it throws
     */
    List<List<Object>> readChanges(ReadRequest request, long snapshot) throws Exception;

    /**
     * Plans, and counts the rows from the plan alone, as engines answer {@code COUNT(*)}.
     *
     * @return empty if the plan does not tell
     * @throws Exception what the Paimon behind it throws
     */
    OptionalLong count(ReadRequest request) throws Exception;

    /** The class name of the table that the catalog hands out. */
    String tableClass(String table) throws Exception;

    @Override
    void close() throws IOException;
}
