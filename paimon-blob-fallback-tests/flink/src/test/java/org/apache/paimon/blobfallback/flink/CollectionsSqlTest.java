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

package org.apache.paimon.blobfallback.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.apache.paimon.data.BlobDescriptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Holds R10 in Flink SQL: arrays of blobs and maps to blobs that Paimon 2.0 updated in part. */
class CollectionsSqlTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir static Path warehouse;

    private FlinkCluster.Session session;

    @BeforeAll
    static void write() throws Exception {
        try (PaimonWriter writer = PAIMON2.writer(warehouse)) {
            writer.createTable(
                    "db.t",
                    TableDefinition.of(
                            "id", "INT", "pics", "ARRAY<BLOB>", "docs", "MAP<STRING, BLOB>"));
            writer.append(
                    "db.t",
                    List.of(
                            Arrays.asList(0, List.of(bytes("a"), bytes("b")), Map.of()),
                            Arrays.asList(1, List.of(bytes("c")), Map.of("k", bytes("v"))),
                            Arrays.asList(2, null, null)));
            writer.update(
                    "db.t",
                    List.of("pics"),
                    Map.of(1L, List.of(Arrays.asList(bytes("new"), null))),
                    Map.of());
            Map<String, byte[]> withNull = new HashMap<>();
            withNull.put("x", null);
            withNull.put("y", bytes("new"));
            writer.update("db.t", List.of("docs"), Map.of(2L, List.of(withNull)), Map.of());
        }
    }

    @BeforeEach
    void openCatalog() throws Exception {
        session = FLINK.batch().createPluginCatalog("p", warehouse);
    }

    @Test
    void wholeValuesAreTheWinners() throws Exception {
        List<String> rows = new ArrayList<>();
        for (Row row : session.sql("SELECT id, pics, docs FROM p.db.t ORDER BY id")) {
            rows.add(
                    row.getField(0)
                            + " "
                            + Texts.of(row.getField(1))
                            + " "
                            + Texts.of(row.getField(2)));
        }
        assertThat(rows)
                .containsExactly("0 [a, b] {}", "1 [new, null] {k=v}", "2 null {x=null, y=new}");
    }

    @Test
    void elementsAreTakenOutBySql() throws Exception {
        assertThat(
                        session.sql(
                                "SELECT CARDINALITY(pics), CAST(pics[1] AS STRING),"
                                        + " CAST(docs['y'] AS STRING) FROM p.db.t"))
                .containsExactlyInAnyOrder(
                        Row.of(2, "a", null), Row.of(2, "new", null), Row.of(null, null, "new"));
    }

    @Test
    void elementsComeAsDescriptors() throws Exception {
        List<Row> rows =
                session.sql(
                        "SELECT pics FROM p.db.t /*+ OPTIONS('blob-as-descriptor'='true') */"
                                + " WHERE id = 1");
        Object[] elements = (Object[]) rows.get(0).getField(0);
        BlobDescriptor descriptor = BlobDescriptor.deserialize((byte[]) elements[0]);

        assertThat(descriptor.uri()).endsWith(".blob");
        assertThat(descriptor.length()).isEqualTo(3);
        assertThat(elements[1]).isNull();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
