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

import java.util.regex.Pattern;

/**
 * What is known to go wrong in Paimon 2.0.0, and in its master as well, on tables with layers: when
 * it can be met, and what such a read looks like. docs/features.md and docs/host-faults.md say more
 * of them.
 */
enum KnownFault {

    /** No layer has a value: the rules say null, they hand out the placeholder itself. */
    NO_OLDER_LAYER("Should never call this method for placeholder blob"),

    /** A blob file spans several ranges of normal files, which they take for one group. */
    FILE_OVER_SEVERAL_GROUPS(
            "should be all row id ranges same"
                    + "|of blob file bunch should be aligned with normal files"
                    + "|should have a normal anchor file in each row range group"
                    + "|Deletion vector range .* should contain reader range"),

    /** The files of a column cover a part of their group alone. */
    COLUMN_IN_A_PART_OF_A_GROUP(
            "of blob file bunch should be aligned with normal files"
                    + "|Blob file bunch should always contain a contiguous row range"
                    + "|All files in a field merge split should have the same row count"),

    /**
     * A column that was added later has no file in a group, and another column's is read for it.
     */
    COLUMN_WITHOUT_FILES("Read type of a blob format does not contain any blob field"),

    /** Vector-store files of a table with deletion vectors are taken for groups of their own. */
    VECTORS_BESIDE_DELETIONS("should have a normal anchor file in each row range group"),

    /**
     * A group of which a read has one blob file alone: they hand out its values in the first blob
     * column that is read, whichever it is of. Where the types differ, that fails.
     */
    ONE_FILE_OF_A_GROUP("(Invalid|Unsupported) (ARRAY<|MAP<X, )BLOB>"),

    /** Keys of maps that came after Paimon 2.0. */
    MAP_KEYS_OF_MASTER("Unsupported MAP|Unsupported.*key"),

    /**
     * A global index is asked though a column was rewritten, or its type changed, since: rows are
     * lost.
     */
    INDEX_OF_OTHER_VALUES("is not supported by global index"),

    /** A bitmap index of the host, which newer Paimons take for one of their own. */
    BITMAP_OF_THE_HOST("Cannot read the array length because \"buffer\" is null"),

    /** A read of changes comes to files without the vectors of their rows. */
    CHANGES_WITHOUT_VECTORS("Unsupported type: VECTOR"),

    /**
     * Rows are lost that the files of a projection do not cover; vectors of several schemas; a
     * placeholder without an older layer is no null to a filter; deletion vectors and sequence
     * numbers of several groups that a blob file joins.
     */
    OTHER_ROWS(null);

    private final Pattern message;

    /**
     * @param message pattern of what the failure says, null if there is none
     */
    KnownFault(String message) {
        this.message = message == null ? null : Pattern.compile(message);
    }

    /** Whether a read that fails says this. */
    boolean explains(String failure) {
        return message != null && message.matcher(failure).find();
    }

    /** Whether a read that does not fail returns other rows. */
    boolean changesRows() {
        return this == OTHER_ROWS || this == INDEX_OF_OTHER_VALUES;
    }
}
