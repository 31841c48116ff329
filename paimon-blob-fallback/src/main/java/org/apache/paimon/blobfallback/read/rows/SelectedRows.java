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

package org.apache.paimon.blobfallback.read.rows;

import java.io.IOException;
import java.util.BitSet;

/** Row ids to read. Whether a row is selected may be computed lazily. */
public interface SelectedRows {

    /** Returned after the last row id. */
    long NO_ROW_ID = -1;

    /**
     * The first selected row id that is at least the given one, or {@link #NO_ROW_ID}.
     *
     * @throws IOException if a file that decides this cannot be read; it names the file
     */
    long next(long rowId) throws IOException;

    /**
     * The selected row ids of a range.
     *
     * @param first row id of bit 0
     * @param length number of row ids
     * @throws IOException as {@link #next}
     */
    BitSet of(long first, int length) throws IOException;
}
