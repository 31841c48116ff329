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

package org.apache.paimon.blobfallback.table;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;

/**
 * The plugin's options of a catalog, as defaults for its tables. Options in a table's schema
 * override them, and options of a copy or hint override both.
 */
public final class TableDefaults implements Serializable {

    /** The plugin's own defaults, for tables of other catalogs. */
    public static final TableDefaults NONE = new TableDefaults(new HashMap<>());

    private static final long serialVersionUID = 1L;

    private final HashMap<String, String> values;

    private TableDefaults(HashMap<String, String> values) {
        this.values = values;
    }

    /**
     * The defaults that a catalog gives.
     *
     * @param catalogOptions all options of the catalog
     * @throws IllegalArgumentException if one of the plugin's has a value that it does not allow;
     *     it names the option, the range and the value
     */
    public static TableDefaults of(Map<String, String> catalogOptions) {
        HashMap<String, String> values = new HashMap<>();
        for (ConfigOption<?> option : BlobFallbackOptions.ofTables()) {
            String value = catalogOptions.get(option.key());
            if (value != null) {
                values.put(option.key(), value);
            }
        }
        // Only for the exceptions: a catalog must not open if each of its tables would fail.
        Options options = Options.fromMap(values);
        options.get(BlobFallbackOptions.ENABLED);
        new BlobReadOptions(options);
        return new TableDefaults(values);
    }

    /**
     * Whether the fallback is on for a table.
     *
     * @throws IllegalArgumentException if the option has another value than true or false
     */
    boolean enabled(FileStoreTable table) {
        return parse(table, options -> options.get(BlobFallbackOptions.ENABLED));
    }

    /**
     * How blob files of a table are read.
     *
     * @throws IllegalArgumentException if an option has a value that it does not allow; it names
     *     the table, the option, the range and the value
     */
    BlobReadOptions readOptions(FileStoreTable table) {
        return parse(table, BlobReadOptions::new);
    }

    private <T> T parse(FileStoreTable table, Function<Options, T> parser) {
        Map<String, String> options = new HashMap<>(values);
        options.putAll(table.schema().options());
        try {
            return parser.apply(Options.fromMap(options));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    String.format("Table %s: %s", table.fullName(), e.getMessage()), e);
        }
    }

    /** Whether the other gives the same options the same values. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TableDefaults && values.equals(((TableDefaults) other).values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }
}
