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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;

/**
 * A newer Paimon, 2.0 if no other, as writer and judge, and the host with the plugin before and
 * behind it on the class path, over one warehouse.
 */
final class Sides implements AutoCloseable {

    private final PaimonWriter writer;
    private final PaimonReader judge;
    private final PaimonReader first;
    private final PaimonReader last;

    Sides(Path warehouse) throws Exception {
        this(warehouse, SharedRuntimes.paimon2());
    }

    /**
     * @param other the Paimon that writes and judges
     */
    Sides(Path warehouse, PaimonRuntime other) throws Exception {
        writer = other.find(PaimonWriter.class);
        judge = other.find(PaimonReader.class);
        first = SharedRuntimes.hostBehindPlugin().find(PaimonReader.class);
        last = SharedRuntimes.hostBeforePlugin().find(PaimonReader.class);
        writer.open(warehouse.toString(), Map.of());
        judge.open(Map.of("warehouse", warehouse.toString()));
        Map<String, String> options =
                Map.of(
                        "warehouse", warehouse.toString(),
                        "metastore", "blob-fallback",
                        "blob-fallback.enabled", "true");
        first.open(options);
        last.open(options);
    }

    PaimonWriter writer() {
        return writer;
    }

    /** The plugin's answer, which is the same in both orders of the class path. */
    List<String> read(ReadRequest request) throws Exception {
        List<String> rows = texts(first.read(request));
        assertThat(texts(last.read(request))).as("%s, plugin last", request).isEqualTo(rows);
        return rows;
    }

    /** The plugin's answer to what a snapshot has changed, the same in both orders. */
    List<String> readChanges(ReadRequest request, long snapshot) throws Exception {
        List<String> rows = texts(first.readChanges(request, snapshot));
        assertThat(texts(last.readChanges(request, snapshot)))
                .as("%s, plugin last", request)
                .isEqualTo(rows);
        return rows;
    }

    /** The plugin's reader, for reads that fail. */
    PaimonReader reader() {
        return first;
    }

    /** The plugin answers as the judge does. */
    void agreeOn(ReadRequest request) throws Exception {
        assertThat(read(request)).as("%s", request).isEqualTo(judged(request));
    }

    /** The judge's answer. */
    List<String> judged(ReadRequest request) throws Exception {
        return texts(judge.read(request));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> texts(List<List<Object>> rows) {
        return rows.stream().map(row -> text(row).toString()).collect(Collectors.toList());
    }

    /** The value with its bytes as text. */
    private static Object text(Object value) {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return value instanceof List<?> list
                ? list.stream().map(Sides::text).collect(Collectors.toList())
                : value;
    }

    @Override
    public void close() throws IOException {
        for (Closeable side : List.of(writer, judge, first, last)) {
            side.close();
        }
    }
}
