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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.serializer.InternalRowSerializer;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A partition's name chooses this partition and no other. */
class PartitionNamesTest {

    private static final String DEFAULT = "__DEFAULT_PARTITION__";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNameChoosesItsPartitionAlone(boolean legacy) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        try {
            assertNames(
                    legacy,
                    DataTypes.STRING(),
                    strings(
                            "a", "", " ", "  ", " a", "a ", "a;b", "a,b", "a=b", "a/b", "a%2Fb",
                            "%"));
            assertNames(
                    legacy,
                    DataTypes.STRING(),
                    strings(
                            DEFAULT,
                            "null",
                            "%5F_DEFAULT_PARTITION__",
                            "ä",
                            "\n",
                            "k=v/day=x",
                            "'"));
            assertNames(legacy, DataTypes.BOOLEAN(), true, false);
            assertNames(legacy, DataTypes.INT(), 0, -7, 7);
            assertNames(legacy, DataTypes.BIGINT(), 0L, Long.MIN_VALUE);
            assertNames(legacy, DataTypes.DOUBLE(), 0.5, -1e300);
            assertNames(
                    legacy,
                    DataTypes.DECIMAL(5, 2),
                    Decimal.fromBigDecimal(new BigDecimal("-1.50"), 5, 2),
                    Decimal.fromBigDecimal(new BigDecimal("1.50"), 5, 2));
            assertNames(legacy, DataTypes.DATE(), 20000, -20000, 0);
            assertNames(legacy, DataTypes.TIME(3), 0, 3_600_000);
            assertNames(
                    legacy,
                    DataTypes.TIMESTAMP(3),
                    Timestamp.fromEpochMillis(0),
                    Timestamp.fromEpochMillis(-1_500),
                    Timestamp.fromEpochMillis(1_700_000_000_123L));
            assertNames(
                    legacy,
                    DataTypes.TIMESTAMP_WITH_LOCAL_TIME_ZONE(3),
                    Timestamp.fromEpochMillis(0),
                    Timestamp.fromEpochMillis(32_400_000),
                    Timestamp.fromEpochMillis(1_700_000_000_123L));
        } finally {
            TimeZone.setDefault(before);
        }
    }

    /** Each value, and null, in a table that is partitioned by one column. */
    private static void assertNames(boolean legacy, DataType type, Object... values) {
        PartitionNames names = names(legacy, type);
        Object[] all = Arrays.copyOf(values, values.length + 1);
        BinaryRow[] partitions = new BinaryRow[all.length];
        for (int i = 0; i < all.length; i++) {
            partitions[i] =
                    new InternalRowSerializer(type).toBinaryRow(GenericRow.of(all[i])).copy();
        }
        HashSet<String> seen = new HashSet<>();
        for (int i = 0; i < all.length; i++) {
            String name = names.of(partitions[i]);
            assertThat(seen.add(name)).as(name).isTrue();
            assertThat(name).doesNotContain(";").doesNotContain(",");
            // As it stands in the list of an argument.
            PartitionPredicate chosen = names.select(List.of(names.parse(" " + name + " ")));
            for (int j = 0; j < all.length; j++) {
                assertThat(chosen.test(partitions[j]))
                        .as("%s of %s chooses %s", name, type, all[j])
                        .isEqualTo(i == j);
            }
        }
    }

    private static Object[] strings(String... texts) {
        return Arrays.stream(texts).map(BinaryString::fromString).toArray();
    }

    private static PartitionNames names(boolean legacy, DataType type) {
        return new PartitionNames(
                new TableSchema(
                        0,
                        List.of(
                                new DataField(0, "day", type),
                                new DataField(1, "id", DataTypes.INT())),
                        1,
                        List.of("day"),
                        Collections.emptyList(),
                        Map.of("partition.legacy-name", String.valueOf(legacy)),
                        ""));
    }

    @Test
    void namesAreThoseOfTheHostWhereItTellsPartitionsApart() {
        PartitionNames names = names(true, DataTypes.STRING());

        assertThat(names.of(day("2026-01-01 10:00:00"))).isEqualTo("day=2026-01-01 10:00:00");
        assertThat(names.of(day(null))).isEqualTo("day=" + DEFAULT);
        assertThat(names.of(day(DEFAULT))).isEqualTo("day=%5F_DEFAULT_PARTITION__");
        assertThat(names.of(day("a;b=c,d/e"))).isEqualTo("day=a%3Bb%3Dc%2Cd%2Fe");
        assertThat(names.of(day(" "))).isEqualTo("day=%20");
        assertThat(names.of(day(""))).isEqualTo("day=");
    }

    @Test
    void columnsMayBeSplitByACommaTooAndAnEqualsSignMayStandInAValue() {
        PartitionNames names = names(true, DataTypes.STRING());

        assertThat(names.parse("day=1, hour=a=b")).isEqualTo(Map.of("day", "1", "hour", "a=b"));
        for (String wrong : List.of("", "day", "=1", "day=1/day=2", "day=2026/01/01")) {
            assertThatThrownBy(() -> names.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "A partition is named like 'day=1/region=eu', with %%2F for a slash in"
                                    + " a value; found '%s'.",
                            wrong);
        }
        assertThatThrownBy(() -> names(true, DataTypes.INT()).select(List.of(Map.of("day", "x"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Partition column day is a INT, found 'x'.");
    }

    private static BinaryRow day(String value) {
        return new InternalRowSerializer(RowType.of(DataTypes.STRING()))
                .toBinaryRow(GenericRow.of(BinaryString.fromString(value)))
                .copy();
    }
}
