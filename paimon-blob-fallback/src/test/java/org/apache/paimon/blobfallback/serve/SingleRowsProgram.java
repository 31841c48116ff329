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

package org.apache.paimon.blobfallback.serve;

import java.util.Map;
import java.util.SplittableRandom;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.local.LocalFileIO;

/** Describes random rows in a JVM of its own, again and again with one reader. */
final class SingleRowsProgram {

    static final int CALLS = 60;
    static final int ROWS_OF_A_CALL = 50;

    private SingleRowsProgram() {}

    /**
     * Prints the JVM's most heap, the most bytes of indexes that were kept, and a digest of all
     * rows.
     *
     * @param arguments the table's folder, its number of rows, and the bound of the cache
     */
    public static void main(String[] arguments) throws Exception {
        long most = 0;
        long digest = 0;
        try (BlobReader reader =
                BlobFallback.newBlobReader(
                                LayeredTable.at(LocalFileIO.create(), new Path(arguments[0]))
                                        .stock()
                                        .copy(
                                                Map.of(
                                                        BlobFallbackOptions.READER_INDEX_CACHE
                                                                .key(),
                                                        arguments[2])))
                        .withColumns("pic")
                        .newReader()) {
            SplittableRandom random = new SplittableRandom(1);
            for (int call = 0; call < CALLS; call++) {
                for (BlobRow row : reader.describe(rowIds(random, Long.parseLong(arguments[1])))) {
                    BlobDescriptor blob = row.getBlob("pic").toDescriptor();
                    String file = blob.uri().substring(blob.uri().lastIndexOf('/') + 1);
                    digest = add(digest, row.rowId(), file, blob.length());
                }
                most = Math.max(most, reader.indexBytes());
            }
        }
        System.out.println(Runtime.getRuntime().maxMemory() + " " + most + " " + digest);
    }

    /** The row ids of the next call. */
    static long[] rowIds(SplittableRandom random, long rows) {
        return random.longs(ROWS_OF_A_CALL, 0, rows).toArray();
    }

    /** The digest with another row. */
    static long add(long digest, long rowId, String file, long length) {
        return 31 * (31 * (31 * digest + rowId) + file.hashCode()) + length;
    }
}
