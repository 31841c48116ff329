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

package org.apache.paimon.blobfallback.read.filter;

import java.io.Closeable;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/** A reader that also closes the rows of its filter. */
public final class FilteredReader implements RecordReader<InternalRow> {

    private final RecordReader<InternalRow> reader;
    private final MatchingRows matching;

    public FilteredReader(RecordReader<InternalRow> reader, MatchingRows matching) {
        this.reader = reader;
        this.matching = matching;
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() throws IOException {
        return reader.readBatch();
    }

    @Override
    @SuppressWarnings("try")
    public void close() throws IOException {
        try (Closeable afterThoseWhoMayAskForRowsInTheBackground = matching) {
            reader.close();
        }
    }
}
