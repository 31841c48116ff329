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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.paimon.blobfallback.engine.Arguments;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The procedures that Spark SQL can call: their names, arguments and results. */
enum Procedures {
    FLATTEN_BLOB_LAYERS(
            columns(
                    "table", DataTypes.StringType,
                    "partitions", DataTypes.StringType,
                    "columns", DataTypes.StringType,
                    "min_layers", DataTypes.IntegerType,
                    "dry_run", DataTypes.BooleanType,
                    "parallelism", DataTypes.IntegerType,
                    "groups_per_commit", DataTypes.IntegerType,
                    "least_layers", DataTypes.IntegerType),
            columns(
                    "group_count", DataTypes.LongType,
                    "layers_before", DataTypes.LongType,
                    "bytes_kept", DataTypes.LongType,
                    "bytes_dropped", DataTypes.LongType)) {
        @Override
        Object[] run(SparkSession spark, String catalog, CallArguments given) {
            FlattenBlobLayers flatten = new FlattenBlobLayers(table(spark, catalog, given));
            given.ifText("partitions", text -> flatten.withPartitions(text.split(";")));
            given.ifText(
                    "columns",
                    text -> flatten.withColumns(FlattenBlobLayers.names("columns", text)));
            flatten.withMinLayers(
                    Arguments.minLayers(given.number("min_layers"), given.number("least_layers")));
            given.ifNumber("parallelism", flatten::withParallelism);
            given.ifNumber("groups_per_commit", flatten::withGroupsPerCommit);
            FlattenResult done = given.isTrue("dry_run") ? flatten.dryRun() : flatten.run();
            return new Object[] {
                done.groupCount(), done.layersBefore(), done.bytesKept(), done.bytesDropped()
            };
        }
    },

    UPDATE_BLOBS(
            columns(
                    "table", DataTypes.StringType,
                    "source", DataTypes.StringType,
                    "key", DataTypes.StringType,
                    "source_sqls", DataTypes.StringType,
                    "parallelism", DataTypes.IntegerType),
            columns(
                    "row_count", DataTypes.LongType,
                    "group_count", DataTypes.LongType,
                    "bytes_written", DataTypes.LongType)) {
        @Override
        Object[] run(SparkSession spark, String catalog, CallArguments given) {
            UpdateBlobs update = new UpdateBlobs(table(spark, catalog, given));
            given.ifText("key", text -> update.withKey(FlattenBlobLayers.names("key", text)));
            given.ifNumber("parallelism", update::withParallelism);
            UpdateResult done = update.run(given.text("source"), given.text("source_sqls"));
            return new Object[] {done.rowCount(), done.groupCount(), done.bytesWritten()};
        }
    };

    /** The names, as a pattern of alternatives. */
    static final String NAMES = "flatten_blob_layers|update_blobs";

    private final StructType parameters;
    private final StructType result;

    Procedures(StructType parameters, StructType result) {
        this.parameters = parameters;
        this.result = result;
    }

    static Procedures of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Runs the procedure and returns the values of its one row. */
    abstract Object[] run(SparkSession spark, String catalog, CallArguments given);

    StructType parameters() {
        return parameters;
    }

    StructType result() {
        return result;
    }

    /**
     * A plan that runs the procedure when it is executed.
     *
     * @param arguments by name or by position
     * @throws IllegalArgumentException if they do not fit the procedure
     */
    LogicalPlan call(SparkSession spark, String catalog, List<Expression> arguments) {
        return ConnectorCall.plan(
                toString(),
                parameters,
                result,
                row -> run(spark, catalog, row),
                inOrder(arguments));
    }

    private List<Expression> inOrder(List<Expression> arguments) {
        Map<String, Expression> byName = new HashMap<>();
        List<String> names = Arrays.asList(parameters.fieldNames());
        for (int i = 0; i < arguments.size(); i++) {
            Expression argument = arguments.get(i);
            boolean isNamed = argument instanceof NamedArgumentExpression;
            if (!isNamed && i >= names.size()) {
                throw refuse("too many arguments", names);
            }
            String name =
                    isNamed
                            ? ((NamedArgumentExpression) argument).key().toLowerCase(Locale.ROOT)
                            : names.get(i);
            if (!names.contains(name)) {
                throw refuse("an argument '" + name + "'", names);
            }
            Expression value = isNamed ? ((NamedArgumentExpression) argument).value() : argument;
            if (byName.put(name, value) != null) {
                throw refuse("the argument " + name + " twice", names);
            }
        }
        List<Expression> ordered = new ArrayList<>();
        for (StructField parameter : parameters.fields()) {
            Expression given = byName.get(parameter.name());
            ordered.add(given == null ? new Literal(null, parameter.dataType()) : given);
        }
        return ordered;
    }

    private IllegalArgumentException refuse(String found, List<String> names) {
        return new IllegalArgumentException(
                String.format(
                        "Procedure sys.%s has the arguments %s, found %s.", this, names, found));
    }

    private static SparkTable table(SparkSession spark, String catalog, CallArguments given) {
        return SparkTable.of(spark, catalog, Arguments.table(given.text("table")));
    }

    /** Columns from alternating names and types. */
    private static StructType columns(Object... namesAndTypes) {
        List<StructField> fields = new ArrayList<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            fields.add(
                    DataTypes.createStructField(
                            (String) namesAndTypes[i], (DataType) namesAndTypes[i + 1], true));
        }
        return DataTypes.createStructType(fields);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
