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

package org.apache.paimon.blobfallback.inspect;

import java.util.OptionalLong;
import org.apache.paimon.format.blob.BlobFileFormat;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.Split;

/** Whole groups whose blob files are to be shown. */
final class BlobLayersSplit implements Split {

    private static final long serialVersionUID = 1L;

    private final DataSplit files;

    BlobLayersSplit(DataSplit files) {
        this.files = files;
    }

    DataSplit files() {
        return files;
    }

    /** One row for each blob file. */
    @Override
    public long rowCount() {
        return files.dataFiles().stream()
                .filter(file -> BlobFileFormat.isBlobFile(file.fileName()))
                .count();
    }

    /** Not known, as a filter may leave out some. */
    @Override
    public OptionalLong mergedRowCount() {
        return OptionalLong.empty();
    }
}
