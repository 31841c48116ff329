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

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a test asks a Spark application for, in JDK types alone.
 *
 * @param kind of request
 * @param text a statement, the name of a table, or a path
 * @param options of the read, or settings of the session while a statement runs
 * @param columns to select, null for all
 * @param filter in SQL, null for none
 * @param limit of rows, null for none
 * @param descriptors whether bytes are blobs' descriptors, to be taken apart
 */
public record SparkRequest(
        Kind kind,
        String text,
        Map<String, String> options,
        List<String> columns,
        String filter,
        Integer limit,
        boolean descriptors)
        implements Serializable {

    /** What is asked for. */
    public enum Kind {
        /** The rows of a statement. */
        SQL,
        /** The rows of a table through a {@code DataFrameReader}. */
        TABLE,
        /** The rows of a path, around the catalogs. */
        LOAD,
        /** The rows of a table as a stream that takes what is there and ends. */
        STREAM,
        /** The physical plan of a statement, as one row of one text. */
        EXPLAIN,
        /**
         * The result of an update of a table by a {@code Dataset}: that of the query which the
         * filter is, with the columns as its key.
         */
        UPDATE,
        /** The result of a flatten of a table by the Java API. */
        FLATTEN,
        /** What the Java of docs/spark.md does in a database. */
        PAGE
    }

    /** The rows of a statement. */
    public static SparkRequest sql(String statement) {
        return of(Kind.SQL, statement);
    }

    /** The rows of {@code catalog.db.table}. */
    public static SparkRequest table(String name) {
        return of(Kind.TABLE, name);
    }

    /** A request without options. */
    public static SparkRequest of(Kind kind, String text) {
        return new SparkRequest(kind, text, Map.of(), null, null, null, false);
    }

    /** The same request with one more option. */
    public SparkRequest with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(key, value);
        return new SparkRequest(kind, text, more, columns, filter, limit, descriptors);
    }

    /** The same request for some columns. */
    public SparkRequest columns(String... names) {
        return new SparkRequest(kind, text, options, List.of(names), filter, limit, descriptors);
    }

    /** The same request with a filter. */
    public SparkRequest where(String condition) {
        return new SparkRequest(kind, text, options, columns, condition, limit, descriptors);
    }

    /** The same request, whose bytes are descriptors. */
    public SparkRequest asDescriptors() {
        return new SparkRequest(kind, text, options, columns, filter, limit, true);
    }
}
