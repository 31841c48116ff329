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

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Product;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * A parser of calls of the plugin's procedures, which passes everything else to another parser.
 *
 * <p>The text after {@code CALL} looks like a call of a function, and the other parser parses it as
 * one. It is a proxy, since the interface of a parser differs between versions of Spark.
 */
final class CallParser implements InvocationHandler {

    private static final Pattern CALL =
            Pattern.compile(
                    "(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*CALL\\s+((?:(?:`(?:[^`]|``)+`|\\w+)\\s*\\.\\s*)?"
                            + "`?sys`?\\s*\\.\\s*`?(?:"
                            + Procedures.NAMES
                            + ")`?\\s*\\(.*\\))[\\s;]*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final ParserInterface parser;
    private final SparkSession spark;

    private CallParser(ParserInterface parser, SparkSession spark) {
        this.parser = parser;
        this.spark = spark;
    }

    static ParserInterface before(ParserInterface parser, SparkSession spark) {
        return (ParserInterface)
                Proxy.newProxyInstance(
                        CallParser.class.getClassLoader(),
                        new Class<?>[] {ParserInterface.class},
                        new CallParser(parser, spark));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("parsePlan")) {
            Matcher call = CALL.matcher((String) arguments[0]);
            if (call.matches()) {
                return plan(call.group(1));
            }
        }
        try {
            return method.invoke(parser, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private LogicalPlan plan(String call) throws Exception {
        // An UnresolvedFunction, whose members have other types in other versions of Scala.
        Product function = (Product) parser.parseExpression(call);
        List<String> name = new ArrayList<>();
        elements(function.productElement(0)).forEach(part -> name.add((String) part));
        List<Expression> arguments = new ArrayList<>();
        elements(function.productElement(1)).forEach(part -> arguments.add((Expression) part));
        String catalog =
                name.size() == 3
                        ? name.get(0)
                        : spark.sessionState().catalogManager().currentCatalog().name();
        return Procedures.of(name.get(name.size() - 1)).call(spark, catalog, arguments);
    }

    private static List<Object> elements(Object seq) {
        return JavaConverters.seqAsJavaList(cast(seq));
    }

    @SuppressWarnings("unchecked")
    private static Seq<Object> cast(Object seq) {
        return (Seq<Object>) seq;
    }
}
