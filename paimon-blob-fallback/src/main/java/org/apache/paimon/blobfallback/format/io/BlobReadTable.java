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

package org.apache.paimon.blobfallback.format.io;

import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;

/** A table whose blob files are read with the options of its catalog in addition to its own. */
public interface BlobReadTable {

    /**
     * How blob files of this table are read.
     *
     * @throws IllegalArgumentException if an option has a value that it does not allow
     */
    BlobReadOptions blobReadOptions();

    /** How blob files of any table are read; as {@link #blobReadOptions()}. */
    static BlobReadOptions optionsOf(FileStoreTable table) {
        return table instanceof BlobReadTable
                ? ((BlobReadTable) table).blobReadOptions()
                : new BlobReadOptions(Options.fromMap(table.schema().options()));
    }
}
