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

package org.apache.paimon.blobfallback.tests.spark;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.spark.FlattenBlobLayers;
import org.apache.paimon.blobfallback.spark.UpdateBlobs;
import org.apache.paimon.blobfallback.spark.UpdateResult;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamReader;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * The program that {@code spark-submit} runs: it answers what a test asks over a connection to the
 * port that its argument names, until the connection ends.
 */
public final class SparkProgram {

    private final SparkSession spark;

    private SparkProgram(SparkSession spark) {
        this.spark = spark;
    }

    public static void main(String[] arguments) throws Exception {
        SparkSession spark = SparkSession.builder().getOrCreate();
        int port = Integer.parseInt(arguments[0]);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                ObjectOutputStream answers = new ObjectOutputStream(socket.getOutputStream());
                ObjectInputStream requests = new ObjectInputStream(socket.getInputStream())) {
            SparkProgram program = new SparkProgram(spark);
            Object request;
            while ((request = requests.readObject()) != null) {
                answers.writeObject(program.answer((SparkRequest) request));
                answers.reset();
            }
        } finally {
            spark.stop();
        }
    }

    private SparkAnswer answer(SparkRequest request) {
        try {
            Dataset<Row> rows = rows(request);
            return new SparkAnswer(
                    new RowValues(rows.schema(), request.descriptors()).of(rows.collectAsList()),
                    new ArrayList<>(Arrays.asList(rows.columns())),
                    null);
        } catch (Exception | LinkageError e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            return new SparkAnswer(null, null, trace.toString());
        }
    }

    private Dataset<Row> rows(SparkRequest request) throws Exception {
        return switch (request.kind()) {
            case SQL -> withSettings(request);
            case EXPLAIN -> spark.sql("EXPLAIN EXTENDED " + request.text());
            case TABLE -> narrowed(reader(request).table(request.text()), request);
            case LOAD -> narrowed(reader(request).format("paimon").load(request.text()), request);
            case STREAM -> streamed(request);
            case UPDATE -> text(update(request).toString());
            case PAGE -> text(PageProgram.run(spark, request.text()));
            case FLATTEN -> text(new FlattenBlobLayers(spark, request.text()).run().toString());
        };
    }

    private UpdateResult update(SparkRequest request) {
        UpdateBlobs update = new UpdateBlobs(spark, request.text());
        if (request.columns() != null) {
            update.withKey(request.columns().toArray(new String[0]));
        }
        return update.run(spark.sql(request.filter()));
    }

    private Dataset<Row> text(String text) {
        return spark.createDataset(List.of(text), Encoders.STRING()).toDF();
    }

    private Dataset<Row> withSettings(SparkRequest request) {
        for (Map.Entry<String, String> setting : request.options().entrySet()) {
            spark.conf().set(setting.getKey(), setting.getValue());
        }
        try {
            Dataset<Row> rows = spark.sql(request.text());
            // Within the settings, which a read may ask for late.
            List<Row> collected = rows.collectAsList();
            return spark.createDataFrame(collected, rows.schema());
        } finally {
            request.options().keySet().forEach(spark.conf()::unset);
        }
    }

    private DataFrameReader reader(SparkRequest request) {
        return spark.read().options(request.options());
    }

    private static Dataset<Row> narrowed(Dataset<Row> rows, SparkRequest request) {
        Dataset<Row> narrowed = rows;
        if (request.filter() != null) {
            narrowed = narrowed.filter(request.filter());
        }
        if (request.columns() != null) {
            Dataset<Row> named = narrowed;
            narrowed =
                    narrowed.select(
                            request.columns().stream().map(named::col).toArray(Column[]::new));
        }
        return request.limit() == null ? narrowed : narrowed.limit(request.limit());
    }

    private Dataset<Row> streamed(SparkRequest request) throws Exception {
        DataStreamReader reader = spark.readStream().options(request.options());
        Dataset<Row> stream = narrowed(reader.table(request.text()), request);
        List<Row> rows = Collections.synchronizedList(new ArrayList<>());
        StreamingQuery query =
                stream.writeStream()
                        .trigger(Trigger.AvailableNow())
                        .foreachBatch(
                                (org.apache.spark.api.java.function.VoidFunction2<
                                                Dataset<Row>, Long>)
                                        (batch, id) -> rows.addAll(batch.collectAsList()))
                        .start();
        query.awaitTermination();
        return spark.createDataFrame(rows, stream.schema());
    }
}
