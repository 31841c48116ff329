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

import java.util.Arrays;

/** Rows that are named one by one. */
public final class ListedRows implements Windows {

    private final long[] rowIds;
    private int next;

    /**
     * @param rowIds ascending, each once
     */
    public ListedRows(long[] rowIds) {
        this.rowIds = rowIds;
    }

    @Override
    public boolean hasNext() {
        return next < rowIds.length;
    }

    @Override
    public Window nextWindow(int maxPlaces) {
        int first = next;
        next = Math.min(rowIds.length, first + maxPlaces);
        return Window.of(Arrays.copyOfRange(rowIds, first, next));
    }
}
