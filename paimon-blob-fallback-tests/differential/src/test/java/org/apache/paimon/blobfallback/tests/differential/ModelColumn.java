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

package org.apache.paimon.blobfallback.tests.differential;

/**
 * A column of a random table.
 *
 * @param name its name
 * @param id its field id
 * @param type its SQL type
 * @param kind where its values are
 */
record ModelColumn(String name, int id, String type, Kind kind) {

    /** Where the values of a column are. */
    enum Kind {
        /** In normal files. */
        NORMAL,
        /** In blob files. */
        BLOB,
        /** In normal files, as descriptors of blobs elsewhere. */
        DESCRIPTOR,
        /** In vector-store files. */
        VECTOR,
        /** In normal files, as views of another table's blobs. */
        VIEW
    }

    /** Whether its values are in blob files. */
    boolean isBlob() {
        return kind == Kind.BLOB;
    }

    /** Whether a step may drop or rename it; rows and partitions are found by the others. */
    boolean isFree() {
        return !name.equals("id")
                && !name.equals("part")
                && (kind == Kind.NORMAL || kind == Kind.BLOB);
    }

    ModelColumn renamed(String newName) {
        return new ModelColumn(newName, id, type, kind);
    }

    ModelColumn changedTo(String newType) {
        return new ModelColumn(name, id, newType, kind);
    }
}
