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

package org.apache.paimon.blobfallback.flink;

import javax.annotation.Nullable;

/** Checks of the arguments of a procedure. */
final class Arguments {

    private Arguments() {}

    /**
     * A number that must be positive.
     *
     * @param name of the argument
     * @param value null if the argument was left out
     * @throws IllegalArgumentException if it is zero or negative
     */
    static int positive(String name, @Nullable Integer value, int defaultValue) {
        if (value != null && value <= 0) {
            throw new IllegalArgumentException(
                    String.format("Argument %s must be positive, found %d.", name, value));
        }
        return value == null ? defaultValue : value;
    }
}
