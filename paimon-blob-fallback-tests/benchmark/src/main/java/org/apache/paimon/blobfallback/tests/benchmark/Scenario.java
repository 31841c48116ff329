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

package org.apache.paimon.blobfallback.tests.benchmark;

import java.util.List;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;

/**
 * What is read, and from where.
 *
 * @param name one word
 * @param table what the table is like
 * @param storage where it is
 * @param columns columns to read
 * @param descriptors whether blobs are read as descriptors
 * @param oneRow whether only one row is read, which the oldest layer decides
 * @param target least ratio to Paimon 2.0 that is wanted; 0 for none
 */
record Scenario(
        String name,
        TableShape table,
        Storage storage,
        List<String> columns,
        boolean descriptors,
        boolean oneRow,
        double target) {

    /** All rows of a table, blobs alone, inline, from disk. */
    static Scenario of(String name, TableShape table) {
        return new Scenario(name, table, Storage.DISK, List.of("b"), false, false, 0);
    }

    Scenario asDescriptors() {
        return new Scenario(name, table, storage, columns, true, oneRow, target);
    }

    Scenario oneRowOnly() {
        return new Scenario(name, table, storage, columns, descriptors, true, target);
    }

    Scenario withoutBlobs() {
        return new Scenario(name, table, storage, List.of("id"), descriptors, oneRow, target);
    }

    Scenario from(Storage where) {
        return new Scenario(name, table, where, columns, descriptors, oneRow, target);
    }

    Scenario atLeast(double ratio) {
        return new Scenario(name, table, storage, columns, descriptors, oneRow, ratio);
    }

    ReadRequest request() {
        ReadRequest request =
                ReadRequest.all(table.name())
                        .columns(columns.toArray(new String[0]))
                        .with("blob-as-descriptor", Boolean.toString(descriptors));
        if (oneRow) {
            long rowId = table.untouchedRowId();
            request = request.range(rowId, rowId);
        }
        return request;
    }
}
