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

package org.apache.paimon.blobfallback.tests.bridge;

import java.util.List;

/**
 * One change of a table's schema.
 *
 * @param kind what to do
 * @param arguments what the kind needs, see there
 */
public record SchemaEdit(Kind kind, List<String> arguments) {

    /** What can change. */
    public enum Kind {
        /** Column name, type. */
        ADD_COLUMN,
        /** Column name. */
        DROP_COLUMN,
        /** Old name, new name. */
        RENAME_COLUMN,
        /** Column name, new type. */
        CHANGE_TYPE,
        /** Column name to move to the front. */
        MOVE_FIRST,
        /** Key, value. */
        SET_OPTION,
        /** Key. */
        REMOVE_OPTION
    }

    /** An edit of some kind. */
    public static SchemaEdit of(Kind kind, String... arguments) {
        return new SchemaEdit(kind, List.of(arguments));
    }
}
