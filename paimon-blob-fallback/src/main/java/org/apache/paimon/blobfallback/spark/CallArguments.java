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

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import javax.annotation.Nullable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The values that a call gives to the parameters of a procedure. */
final class CallArguments {

    private final List<String> names;
    private final InternalRow values;

    CallArguments(StructType parameters, InternalRow values) {
        this.names = Arrays.asList(parameters.fieldNames());
        this.values = values;
    }

    /** A string, null if it was left out. */
    @Nullable
    String text(String name) {
        int position = names.indexOf(name);
        // A string of Spark, whose class differs between versions.
        Object text = values.get(position, DataTypes.StringType);
        return text == null ? null : text.toString();
    }

    void ifText(String name, Consumer<String> action) {
        if (text(name) != null) {
            action.accept(text(name));
        }
    }

    /** A number, null if it was left out. */
    @Nullable
    Integer number(String name) {
        int position = names.indexOf(name);
        return values.isNullAt(position) ? null : values.getInt(position);
    }

    void ifNumber(String name, IntConsumer action) {
        Integer number = number(name);
        if (number != null) {
            action.accept(number);
        }
    }

    boolean isTrue(String name) {
        int position = names.indexOf(name);
        return !values.isNullAt(position) && values.getBoolean(position);
    }
}
