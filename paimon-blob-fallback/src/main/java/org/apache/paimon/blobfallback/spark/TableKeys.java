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

package org.apache.paimon.blobfallback.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.blobfallback.BlobFallback;
import org.apache.paimon.blobfallback.engine.KeyColumns;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The keys of a table's rows and the row ids that have them (W7): those of one snapshot, under the
 * table's current schema.
 */
final class TableKeys {

    /** Columns of the rows that are found by key, besides those of the source. */
    static final List<String> OWN_COLUMNS =
            Arrays.asList(UpdateSource.ROW_ID, UpdateSource.MATCHES);

    private final FileStoreTable table;
    private final List<DataField> fields = new ArrayList<>();

    /**
     * @throws IllegalArgumentException if a name is not that of a normal column whose values can be
     *     keys
     */
    TableKeys(FileStoreTable table, List<String> key) {
        this.table = table;
        KeyColumns.check(table, key, OWN_COLUMNS);
        for (String name : key) {
            DataField field = table.rowType().getField(name);
            if (NormalTypes.spark(field.type()) == null) {
                throw new IllegalArgumentException(
                        String.format(
                                "Column %s of the key is %s in table %s, by which rows cannot be"
                                        + " found: expected numbers without fraction, characters,"
                                        + " bytes, dates, decimals or booleans.",
                                name, field.type(), table.fullName()));
            }
            fields.add(field);
        }
    }

    /** Each key, one of the row ids that have it, and how many have it. */
    Dataset<Row> of(SparkSession spark, long snapshotId) throws IOException {
        Dataset<Row> rows = rows(spark, snapshotId);
        Column[] key = new Column[fields.size()];
        for (int i = 0; i < key.length; i++) {
            String name = fields.get(i).name();
            Column column = Columns.of(name);
            key[i] =
                    fields.get(i).type().getTypeRoot() == DataTypeRoot.DATE
                            ? functions.date_from_unix_date(column).as(name)
                            : column;
        }
        return rows.groupBy(key)
                .agg(
                        functions.min(Columns.of(UpdateSource.ROW_ID)).as(UpdateSource.ROW_ID),
                        functions.count(functions.lit(1)).as(UpdateSource.MATCHES));
    }

    private Dataset<Row> rows(SparkSession spark, long snapshotId) throws IOException {
        Map<String, String> options = new HashMap<>();
        options.put(CoreOptions.SCAN_SNAPSHOT_ID.key(), String.valueOf(snapshotId));
        options.put(BlobFallbackOptions.ENABLED.key(), "true");
        List<DataField> read = new ArrayList<>(fields);
        read.add(SpecialFields.ROW_ID);
        ReadBuilder builder =
                BlobFallback.wrap(table)
                        .copyWithoutTimeTravel(options)
                        .newReadBuilder()
                        .withReadType(new RowType(read));
        List<byte[]> splits = new ArrayList<>();
        for (Split split : builder.newScan().plan().splits()) {
            splits.add(Serialized.bytes(split));
        }
        return spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(splits, Math.max(1, splits.size()))
                        .flatMap(new ReadKeys(builder, new RowType(read))),
                schema());
    }

    private StructType schema() {
        List<StructField> columns = new ArrayList<>();
        for (DataField field : fields) {
            DataType type =
                    field.type().getTypeRoot() == DataTypeRoot.DATE
                            ? DataTypes.IntegerType
                            : NormalTypes.spark(field.type());
            columns.add(DataTypes.createStructField(field.name(), type, true));
        }
        columns.add(DataTypes.createStructField(UpdateSource.ROW_ID, DataTypes.LongType, false));
        return DataTypes.createStructType(columns);
    }
}
