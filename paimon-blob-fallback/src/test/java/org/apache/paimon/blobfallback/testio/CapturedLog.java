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

package org.apache.paimon.blobfallback.testio;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** What the plugin logs, regardless of the log level of the tests. */
public final class CapturedLog {

    private static final String PLUGIN = "org.apache.paimon.blobfallback";
    private static final String LEVEL = "org.slf4j.simpleLogger.log." + PLUGIN;
    private static final Map<String, Integer> LEVELS = Map.of("debug", 10, "info", 20, "warn", 30);

    /** {@code error}, as the build sets it. */
    private static final int LEVEL_OF_TESTS = 40;

    private CapturedLog() {}

    /** An action that may throw. */
    @FunctionalInterface
    public interface Action {

        /** Runs. */
        void run() throws Exception;
    }

    /**
     * The lines that are logged during an action.
     *
     * @param level lowest level: {@code debug}, {@code info} or {@code warn}
     */
    public static String of(String level, Action action) throws Exception {
        PrintStream err = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Map<Object, Integer> levels = new HashMap<>();
        Field field =
                Class.forName("org.slf4j.impl.SimpleLogger").getDeclaredField("currentLogLevel");
        field.setAccessible(true);
        for (Map.Entry<?, ?> logger : existingLoggers().entrySet()) {
            if (logger.getKey().toString().startsWith(PLUGIN)) {
                levels.put(logger.getValue(), field.getInt(logger.getValue()));
                field.setInt(logger.getValue(), LEVELS.get(level));
            }
        }
        // For loggers that come during the action.
        System.setProperty(LEVEL, level);
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(err);
            System.clearProperty(LEVEL);
            for (Map.Entry<?, ?> logger : existingLoggers().entrySet()) {
                if (logger.getKey().toString().startsWith(PLUGIN)) {
                    field.setInt(
                            logger.getValue(),
                            levels.getOrDefault(logger.getValue(), LEVEL_OF_TESTS));
                }
            }
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    private static Map<?, ?> existingLoggers() throws ReflectiveOperationException {
        Object factory = LoggerFactory.getILoggerFactory();
        Field field = factory.getClass().getDeclaredField("loggerMap");
        field.setAccessible(true);
        return (Map<?, ?>) field.get(factory);
    }
}
