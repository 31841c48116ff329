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

package org.apache.paimon.blobfallback.read.view;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.reader.RecordReader;

/**
 * A blob view column: reads the stored references from the host's rows, a window of them at a time,
 * and returns the blobs that they point to.
 */
public final class BlobViewColumnReader implements RecordReader<InternalRow> {

    /** Maximum number of references that are resolved together. */
    private static final int MAX_REFERENCES = 1 << 12;

    private final RecordReader<InternalRow> references;
    private final BlobViewResolver resolver;
    private final String where;

    /**
     * @param references rows of the stored column alone; closed with this reader
     * @param resolver closed with this reader
     * @param where names the column, for messages
     */
    public BlobViewColumnReader(
            RecordReader<InternalRow> references, BlobViewResolver resolver, String where) {
        this.references = references;
        this.resolver = resolver;
        this.where = where;
    }

    @Nullable
    @Override
    public RecordIterator<InternalRow> readBatch() throws IOException {
        RecordIterator<InternalRow> batch = references.readBatch();
        return batch == null ? null : new Blobs(batch);
    }

    @Override
    public void close() throws IOException {
        try {
            references.close();
        } finally {
            resolver.close();
        }
    }

    private final class Blobs implements RecordIterator<InternalRow> {

        private final RecordIterator<InternalRow> rows;
        private Iterator<Blob> window = Collections.emptyIterator();
        private boolean ended;

        private Blobs(RecordIterator<InternalRow> rows) {
            this.rows = rows;
        }

        @Nullable
        @Override
        public InternalRow next() throws IOException {
            if (!window.hasNext()) {
                window = nextWindow();
            }
            if (!window.hasNext()) {
                return null;
            }
            return GenericRow.of(window.next());
        }

        private Iterator<Blob> nextWindow() throws IOException {
            List<BlobViewReference> found = new ArrayList<>();
            InternalRow row;
            while (found.size() < MAX_REFERENCES && (row = rows.next()) != null) {
                found.add(
                        row.isNullAt(0) ? null : BlobViewReference.parse(row.getBinary(0), where));
            }
            return resolver.resolve(found).iterator();
        }

        @Override
        public void releaseBatch() {
            rows.releaseBatch();
        }
    }
}
