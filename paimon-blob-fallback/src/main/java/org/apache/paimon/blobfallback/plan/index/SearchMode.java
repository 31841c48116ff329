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

package org.apache.paimon.blobfallback.plan.index;

import static org.apache.paimon.options.ConfigOptions.key;

import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.Options;

/** The rows that a search by global index finds, by the options of Paimon 2.0. */
enum SearchMode {
    /** Those in the index. */
    FAST,
    /** Those in the index and those that no index contains. */
    FULL,
    /** Those in the index and those that no index contains. */
    DETAIL;

    private static final ConfigOption<SearchMode> OF_ALL =
            key("global-index.search-mode").enumType(SearchMode.class).defaultValue(FAST);

    /**
     * The mode of a kind of index.
     *
     * @param family of index: {@code scalar-index}, {@code vector-index} or {@code full-text-index}
     * @param options of the table
     * @throws IllegalArgumentException if an option has an unknown value
     */
    static SearchMode of(String family, Options options) {
        ConfigOption<SearchMode> ofFamily =
                key(family + ".search-mode").enumType(SearchMode.class).noDefaultValue();
        return options.getOptional(ofFamily).orElseGet(() -> options.get(OF_ALL));
    }
}
