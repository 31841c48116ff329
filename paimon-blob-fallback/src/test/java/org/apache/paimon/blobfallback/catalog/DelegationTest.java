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

package org.apache.paimon.blobfallback.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.paimon.PagedList;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call of the plugin's catalog reaches the delegate with the same arguments. */
class DelegationTest {

    /**
     * Methods that the plugin's catalog answers itself, or the interface by calling its other
     * methods.
     */
    private static final Set<String> OWN =
            Set.of(
                    "options()",
                    "createDatabase(String,boolean)",
                    "alterTable(Identifier,SchemaChange,boolean)",
                    "rollbackTo(Identifier,Instant)");

    private final List<Call> calls = new ArrayList<>();

    static Stream<Method> methods() {
        return Arrays.stream(Catalog.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !OWN.contains(signature(method)));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void theDelegateIsAsked(Method method) throws Exception {
        Catalog behind =
                (Catalog)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {Catalog.class},
                                (proxy, called, arguments) -> {
                                    calls.add(new Call(called, arguments));
                                    return emptyValue(called.getReturnType());
                                });
        Object[] arguments =
                Arrays.stream(method.getParameterTypes()).map(this::argument).toArray();

        try {
            method.invoke(
                    new BlobFallbackCatalog(behind, CatalogContext.create(new Options()), Map.of()),
                    arguments);
        } catch (InvocationTargetException e) {
            // An empty answer may be refused, but only after the delegate has given it.
            assertThat(calls).as(e.getCause().toString()).isNotEmpty();
        }

        assertThat(calls)
                .anySatisfy(
                        call -> {
                            assertThat(call.method()).isEqualTo(method);
                            assertThat(call.arguments() == null ? new Object[0] : call.arguments())
                                    .containsExactly(arguments);
                        });
    }

    private record Call(Method method, Object[] arguments) {}

    private Object argument(Class<?> type) {
        if (type == Identifier.class) {
            return Identifier.create("db", "t");
        }
        if (type == String.class) {
            return "text";
        }
        if (type == Instant.class) {
            return Instant.snapshot(1L);
        }
        if (type == Duration.class) {
            return Duration.ofDays(1);
        }
        return emptyValue(type);
    }

    private static Object emptyValue(Class<?> type) {
        if (type == boolean.class) {
            return true;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == int.class) {
            return 1;
        }
        if (type == List.class) {
            return Collections.emptyList();
        }
        if (type == Map.class) {
            return Collections.emptyMap();
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        return type == PagedList.class ? new PagedList<>(Collections.emptyList(), null) : null;
    }

    private static String signature(Method method) {
        return method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(",", "(", ")"));
    }
}
