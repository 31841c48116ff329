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

import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;

/**
 * What is read, and from where.
 *
 * @param name one word
 * @param table what the table is like
 * @param storage where it is
 * @param request what is read of it
 * @param planned whether each read is also planned, or all follow one plan
 * @param served how rows are read by row id where the contestant can
 * @param target least ratio to Paimon 2.0 that is wanted; 0 for none
 */
record Scenario(
        String name,
        TableShape table,
        Storage storage,
        ReadRequest request,
        boolean planned,
        Served served,
        double target) {

    /** All rows of a table, blobs alone, inline, from disk. */
    static Scenario of(String name, TableShape table) {
        ReadRequest blobs = ReadRequest.all(table.name()).columns(TableShape.BLOB);
        return new Scenario(name, table, Storage.DISK, blobs, false, Served.NOT, 0);
    }

    /** Blobs as descriptors. */
    Scenario asDescriptors() {
        return of(request.with("blob-as-descriptor", "true"));
    }

    /** Only one row, which the oldest layer decides. */
    Scenario oneRowOnly() {
        long rowId = table.untouchedRowId();
        return of(request.range(rowId, rowId));
    }

    /** Random rows, planned and read for each call where they are not served by row id. */
    Scenario ofRows(int count, Served how) {
        ReadRequest rows = request;
        for (long rowId : table.randomRowIds(count)) {
            rows = rows.range(rowId, rowId);
        }
        return new Scenario(name, table, storage, rows, true, how, target);
    }

    /** The row ids that are asked for, of a request for single rows. */
    long[] rowIds() {
        return request.ranges().stream().mapToLong(ReadRequest.Range::from).toArray();
    }

    /** Only a normal column. */
    Scenario withoutBlobs() {
        return of(request.columns(TableShape.ID));
    }

    /** Only rows that match a filter, which are read with the column that it asks. */
    Scenario where(ReadRequest.Filter filter) {
        return of(request.columns(filter.column(), TableShape.BLOB).where(filter));
    }

    /** With the column that filters ask. */
    Scenario withLabels() {
        return of(request.columns(TableShape.LABEL, TableShape.BLOB));
    }

    Scenario from(Storage where) {
        return new Scenario(name, table, where, request, planned, served, target);
    }

    /** Measured with the plan of each read. */
    Scenario withItsPlan() {
        return new Scenario(name, table, storage, request, true, served, target);
    }

    Scenario atLeast(double ratio) {
        return new Scenario(name, table, storage, request, planned, served, ratio);
    }

    private Scenario of(ReadRequest other) {
        return new Scenario(name, table, storage, other, planned, served, target);
    }
}
