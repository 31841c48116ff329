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

/** The row ids of a selection, in ascending order, computed lazily. */
public final class RowIdIterator implements Windows {

    private final SelectedRows rows;
    private long from;

    public RowIdIterator(SelectedRows rows) {
        this.rows = rows;
    }

    @Override
    public boolean hasNext() throws IOException {
        long next = rows.next(from);
        if (next == SelectedRows.NO_ROW_ID) {
            return false;
        }
        from = next;
        return true;
    }

    /** The next row id, without consuming it. Requires {@link #hasNext()}. */
    public long peek() {
        return from;
    }

    /** Consumes the next row id. Requires {@link #hasNext()}. */
    public long next() {
        return from++;
    }

    @Override
    public Window nextWindow(int maxPlaces) throws IOException {
        long first = from;
        from += maxPlaces;
        return new Window(first, rows.of(first, maxPlaces));
    }
}
