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

package org.apache.paimon.blobfallback.table;

import java.util.function.Supplier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.splitread.SplitReadConfig;
import org.apache.paimon.table.source.splitread.SplitReadProvider;
import org.apache.paimon.utils.LazyField;

/** One read for every split, created on first use. */
final class SingleSplitReadProvider implements SplitReadProvider {

    private final LazyField<SplitRead<InternalRow>> read;

    SingleSplitReadProvider(Supplier<SplitRead<InternalRow>> supplier, SplitReadConfig config) {
        this.read =
                new LazyField<>(
                        () -> {
                            SplitRead<InternalRow> made = supplier.get();
                            config.config(made);
                            return made;
                        });
    }

    @Override
    public boolean match(Split split, Context context) {
        return true;
    }

    @Override
    public LazyField<SplitRead<InternalRow>> get() {
        return read;
    }
}
