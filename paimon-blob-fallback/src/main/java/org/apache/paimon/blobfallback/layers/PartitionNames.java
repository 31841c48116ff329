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

package org.apache.paimon.blobfallback.layers;

import java.io.Serializable;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.FileStorePathFactory;
import org.apache.paimon.utils.InternalRowPartitionComputer;
import org.apache.paimon.utils.PartitionPathUtils;
import org.apache.paimon.utils.TypeUtils;

/**
 * Names of partitions, {@code k=v/l=w}, and the partitions that such names choose.
 *
 * <p>Values are those of the host's system table {@code $partitions}, where these are unambiguous.
 * In a column or a value, {@code % / = , ;}, control characters and leading or trailing blanks are
 * escaped as the host does it in the names of folders: {@code %} and two hexadecimal digits. Only
 * null has the default name ({@code partition.default-name}); in an equal string the first
 * character is escaped.
 */
public final class PartitionNames implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final String ESCAPED = "%/=,;\u007f";

    private final TableSchema schema;
    @Nullable private transient InternalRowPartitionComputer computer;

    /**
     * @param schema of the table, with its options
     */
    public PartitionNames(TableSchema schema) {
        this.schema = schema;
    }

    /** The name of a partition; null if the table has none. */
    @Nullable
    public String of(BinaryRow partition) {
        if (schema.partitionKeys().isEmpty()) {
            return null;
        }
        return values(partition).entrySet().stream()
                .map(value -> escape(value.getKey()) + "=" + nameOf(value.getValue()))
                .collect(Collectors.joining("/"));
    }

    private String nameOf(@Nullable String value) {
        String nullName = escape(defaultName());
        if (value == null) {
            return nullName;
        }
        String name = escape(value);
        return name.equals(nullName) && !value.isEmpty()
                ? escape(value.charAt(0)) + escape(value.substring(1))
                : name;
    }

    /** The values of a partition by column, as text; null where a value is. */
    public synchronized Map<String, String> values(BinaryRow partition) {
        RowType type = schema.logicalPartitionType();
        if (computer == null) {
            computer =
                    FileStorePathFactory.getPartitionComputer(
                            type, defaultName(), options().legacyPartitionName());
        }
        Map<String, String> values = computer.generatePartValues(partition);
        for (int i = 0; i < type.getFieldCount(); i++) {
            // The host has the same name for null, for blank strings and for a string that equals
            // this name.
            if (defaultName().equals(values.get(type.getFieldNames().get(i)))) {
                Object value =
                        InternalRow.createFieldGetter(type.getTypeAt(i), i)
                                .getFieldOrNull(partition);
                values.put(type.getFieldNames().get(i), value == null ? null : value.toString());
            }
        }
        return values;
    }

    /**
     * The values that a name has, by column.
     *
     * @param name such as {@code day=1/region=eu}, with any columns; a comma may replace the slash
     * @return null where the name stands for null
     * @throws IllegalArgumentException if it does not have this form, or has a column twice
     */
    public Map<String, String> parse(String name) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : name.split("[/,]")) {
            int equals = part.indexOf('=');
            String column =
                    equals < 0
                            ? ""
                            : PartitionPathUtils.unescapePathName(part.substring(0, equals).trim());
            if (column.isEmpty() || values.containsKey(column)) {
                throw new IllegalArgumentException(
                        String.format(
                                "A partition is named like 'day=1/region=eu', with %%2F for a slash"
                                        + " in a value; found '%s'.",
                                name));
            }
            String value = part.substring(equals + 1).trim();
            values.put(
                    column,
                    value.equals(escape(defaultName()))
                            ? null
                            : PartitionPathUtils.unescapePathName(value));
        }
        return values;
    }

    /**
     * The partitions that have one of several combinations of values.
     *
     * @param specs values by partition column, as text; null for null
     * @throws IllegalArgumentException if a text is not a value of the column's type
     */
    public PartitionPredicate select(List<Map<String, String>> specs) {
        RowType type = schema.logicalPartitionType();
        PredicateBuilder builder = new PredicateBuilder(type);
        List<Predicate> partitions = new ArrayList<>();
        for (Map<String, String> spec : specs) {
            List<Predicate> values = new ArrayList<>();
            spec.forEach(
                    (column, text) -> {
                        int index = type.getFieldIndex(column);
                        values.add(
                                text == null
                                        ? builder.isNull(index)
                                        : builder.equal(
                                                index, value(column, type.getTypeAt(index), text)));
                    });
            partitions.add(PredicateBuilder.and(values));
        }
        return PartitionPredicate.fromPredicate(type, PredicateBuilder.or(partitions));
    }

    private Object value(String column, DataType type, String text) {
        try {
            if (options().legacyPartitionName()) {
                // As the host's own classes are printed: days and milliseconds, and
                // timestamps without a time zone.
                switch (type.getTypeRoot()) {
                    case DATE:
                    case TIME_WITHOUT_TIME_ZONE:
                        if (text.matches("-?\\d+")) {
                            return Integer.valueOf(text);
                        }
                        break;
                    case TIMESTAMP_WITHOUT_TIME_ZONE:
                    case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                        if (text.contains("T")) {
                            return Timestamp.fromLocalDateTime(LocalDateTime.parse(text));
                        }
                        break;
                    default:
                }
            }
            return TypeUtils.castFromString(text, type);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    String.format("Partition column %s is a %s, found '%s'.", column, type, text),
                    e);
        }
    }

    private CoreOptions options() {
        return new CoreOptions(schema.options());
    }

    private String defaultName() {
        return options().partitionDefaultName();
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean atAnEnd = i == 0 || i == text.length() - 1;
            if (c < ' ' || ESCAPED.indexOf(c) >= 0 || c == ' ' && atAnEnd) {
                escaped.append(escape(c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    private static String escape(char c) {
        return String.format("%%%02X", (int) c);
    }
}
