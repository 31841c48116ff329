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

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.JavaConverters;

/**
 * Runs a procedure of the plugin in the host's connector, which plans and executes any {@code
 * Procedure} in its {@code PaimonCallCommand}. The connector is not published, so its classes are
 * found by name.
 */
final class ConnectorCall implements InvocationHandler {

    private static final String PACKAGE = "org.apache.paimon.spark.";

    private final String name;
    private final Object parameters;
    private final StructType parameterTypes;
    private final StructType result;
    private final Function<CallArguments, Object[]> procedure;

    private ConnectorCall(
            String name,
            Object parameters,
            StructType parameterTypes,
            StructType result,
            Function<CallArguments, Object[]> procedure) {
        this.name = name;
        this.parameters = parameters;
        this.parameterTypes = parameterTypes;
        this.result = result;
        this.procedure = procedure;
    }

    /**
     * A plan that calls a procedure.
     *
     * @param procedure gives the values of its one row
     * @param arguments one for each parameter
     * @throws IllegalStateException if the host's connector is missing or of another version
     */
    static LogicalPlan plan(
            String name,
            StructType parameters,
            StructType result,
            Function<CallArguments, Object[]> procedure,
            List<Expression> arguments) {
        try {
            Class<?> type = connector("procedure.Procedure");
            Object proxy =
                    Proxy.newProxyInstance(
                            type.getClassLoader(),
                            new Class<?>[] {type},
                            new ConnectorCall(
                                    name, parameters(parameters), parameters, result, procedure));
            return (LogicalPlan)
                    connector("catalyst.plans.logical.PaimonCallCommand")
                            .getConstructors()[0]
                            .newInstance(proxy, JavaConverters.asScalaBuffer(arguments).toList());
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(
                    "The connector of Paimon refuses a call.", e.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "Procedure sys."
                            + name
                            + " needs the connector of Paimon 1.4 for Spark, in the class loader"
                            + " of the plugin.",
                    e);
        }
    }

    private static Class<?> connector(String className) throws ClassNotFoundException {
        return Class.forName(PACKAGE + className, true, ConnectorCall.class.getClassLoader());
    }

    private static Object parameters(StructType types) throws ReflectiveOperationException {
        Class<?> type = connector("procedure.ProcedureParameter");
        Method optional =
                type.getMethod("optional", String.class, org.apache.spark.sql.types.DataType.class);
        StructField[] fields = types.fields();
        Object parameters = Array.newInstance(type, fields.length);
        for (int i = 0; i < fields.length; i++) {
            Array.set(parameters, i, optional.invoke(null, fields[i].name(), fields[i].dataType()));
        }
        return parameters;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "parameters":
                return parameters;
            case "outputType":
                return result;
            case "call":
                return new InternalRow[] {
                    new GenericInternalRow(
                            procedure.apply(
                                    new CallArguments(parameterTypes, (InternalRow) arguments[0])))
                };
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                // description() and toString()
                return "sys." + name;
        }
    }
}
