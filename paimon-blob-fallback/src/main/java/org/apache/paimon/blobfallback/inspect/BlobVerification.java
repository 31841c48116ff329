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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.annotation.Public;

/** What a check of all blob files of a table's snapshot has found. */
@Public
public final class BlobVerification {

    /** Maximum number of faults that are listed for one file; the others are only counted. */
    static final int MAX_FAULTS_OF_A_FILE = 20;

    private final String tableName;
    private final int fileCount;
    private final long byteCount;
    private final long faultCount;
    private final List<String> faults;

    BlobVerification(
            String tableName, int fileCount, long byteCount, long faultCount, List<String> faults) {
        this.tableName = tableName;
        this.fileCount = fileCount;
        this.byteCount = byteCount;
        this.faultCount = faultCount;
        this.faults = Collections.unmodifiableList(new ArrayList<>(faults));
    }

    /** Whether no fault was found. */
    public boolean isSound() {
        return faultCount == 0;
    }

    /** Number of blob files that were checked. */
    public int fileCount() {
        return fileCount;
    }

    /** Total size of these files in bytes, according to their metadata. */
    public long byteCount() {
        return byteCount;
    }

    /** Number of faults, including those that are not listed. */
    public long faultCount() {
        return faultCount;
    }

    /**
     * The faults, each with the file or files it is about. The first {@value #MAX_FAULTS_OF_A_FILE}
     * of each file are listed.
     */
    public List<String> faults() {
        return faults;
    }

    /** The report as text, one fault on each line. */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder(
                        String.format(
                                "Table %s: %s blob files, %s bytes, %s faults%n",
                                tableName, fileCount, byteCount, faultCount));
        for (String fault : faults) {
            text.append(fault).append(System.lineSeparator());
        }
        if (faultCount > faults.size()) {
            text.append(String.format("and %s more%n", faultCount - faults.size()));
        }
        return text.toString();
    }
}
