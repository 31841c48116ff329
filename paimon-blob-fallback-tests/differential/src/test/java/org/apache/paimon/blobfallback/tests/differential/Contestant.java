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

package org.apache.paimon.blobfallback.tests.differential;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;

/** A Paimon that reads the random tables. */
final class Contestant implements Closeable {

    /**
     * What came of a read.
     *
     * @param rows the rows, null if it failed
     * @param failure why it failed, with its stack, null if it did not
     */
    record Outcome(List<List<Object>> rows, String failure) {

        boolean matches(ExpectedRows expected) {
            return rows != null && expected.matches(rows);
        }

        /** Whether both gave the same rows in the same order, or failed with the same exception. */
        boolean isLike(Outcome other) {
            return rows == null
                    ? other.rows == null && exception().equals(other.exception())
                    : other.rows != null && Values.matches(other.rows, rows);
        }

        /** Why the read failed, without the stack. */
        private String exception() {
            return failure.lines().findFirst().orElseThrow();
        }

        String difference(ExpectedRows expected) {
            return rows == null ? failure : expected.difference(rows);
        }
    }

    private static final int SHOWN_FRAMES = 8;

    private final PaimonRuntime runtime;
    private final PaimonReader reader;
    private final Map<String, String> readOptions;

    /**
     * @param runtime must stay open as long as the contestant reads
     * @param readOptions dynamic options of each read
     */
    Contestant(
            PaimonRuntime runtime,
            Map<String, String> catalogOptions,
            Map<String, String> readOptions)
            throws Exception {
        this.runtime = runtime;
        this.reader = runtime.find(PaimonReader.class);
        this.readOptions = readOptions;
        reader.open(catalogOptions);
    }

    PaimonReader reader() {
        return reader;
    }

    /** Reads; a failure is an outcome like another. */
    Outcome read(ReadRequest request) {
        return outcome(() -> reader.read(withReadOptions(request)));
    }

    /** Reads what a snapshot has changed; a failure is an outcome like another. */
    Outcome readChanges(ReadRequest request, long snapshot) {
        return outcome(() -> reader.readChanges(withReadOptions(request), snapshot));
    }

    /** Counts the rows from the plan, see there. */
    OptionalLong count(ReadRequest request) throws Exception {
        return reader.count(withReadOptions(request));
    }

    private static Outcome outcome(Callable<List<List<Object>>> read) {
        try {
            return new Outcome(read.call(), null);
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            // A Paimon that takes a length from the wrong place may ask for any amount of memory.
            return new Outcome(null, text(e));
        }
    }

    private ReadRequest withReadOptions(ReadRequest request) {
        ReadRequest actual = request;
        for (Map.Entry<String, String> option : readOptions.entrySet()) {
            actual = actual.with(option.getKey(), option.getValue());
        }
        return actual;
    }

    /** An exception and its causes, each with the part of its stack that tells where it is from. */
    static String text(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
            Arrays.stream(cause.getStackTrace())
                    .limit(SHOWN_FRAMES)
                    .forEach(frame -> text.append("    at ").append(frame).append('\n'));
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    @Override
    public String toString() {
        return runtime.toString();
    }
}
