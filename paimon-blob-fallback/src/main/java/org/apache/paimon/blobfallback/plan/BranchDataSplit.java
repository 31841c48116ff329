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

package org.apache.paimon.blobfallback.plan;

import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;

/** A split of one of two branches that counts the rows that a read of it returns. */
public final class BranchDataSplit extends GroupedDataSplit
        implements FallbackReadFileStoreTable.FallbackSplit {

    private static final long serialVersionUID = 1L;

    private final boolean isFallback;

    /**
     * @param isFallback whether it belongs to the branch that comes second
     */
    public BranchDataSplit(DataSplit split, boolean isFallback) {
        super(split);
        this.isFallback = isFallback;
    }

    @Override
    public boolean isFallback() {
        return isFallback;
    }

    @Override
    public Split wrapped() {
        return this;
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other) && isFallback == ((BranchDataSplit) other).isFallback;
    }

    @Override
    public int hashCode() {
        return 31 * super.hashCode() + Boolean.hashCode(isFallback);
    }
}
