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
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * R15: streaming and incremental reads. A split of changes holds only the layers of the snapshots
 * that it spans. An update of a blob column comes as a row for each row of its groups, with the
 * updated values of that column and null for all else.
 */
@Timeout(600)
class ChangesSqlTest {

    @RegisterExtension static final FlinkCluster FLINK = new FlinkCluster();
    @RegisterExtension static final Paimon2 PAIMON2 = new Paimon2();

    @TempDir Path warehouse;

    private PaimonWriter writer;
    private Album album;

    @BeforeEach
    void write() throws Exception {
        writer = PAIMON2.writer(warehouse);
        album = Album.create(writer, "db.t").append(3);
        album.update("front", Map.of(1L, "updated"));
    }

    @AfterEach
    void close() throws Exception {
        writer.close();
    }

    @Test
    void aStreamGivesTheTableAndThenEachUpdateByItself() throws Exception {
        FlinkCluster.Session session = FLINK.streaming().createPluginCatalog("c", warehouse);
        CloseableIterator<Row> stream =
                session.environment()
                        .executeSql(
                                "SELECT id, front, back FROM c.db.t"
                                        + " /*+ OPTIONS('continuous.discovery-interval'='100ms') */")
                        .collect();
        try {
            assertThat(next(stream, 3))
                    .containsExactlyInAnyOrderElementsOf(album.rows("id", "front", "back"));

            album.update("back", Map.of(0L, "changed"));
            assertThat(next(stream, 3))
                    .containsExactlyInAnyOrder(
                            Row.of(null, null, "changed".getBytes(UTF_8)),
                            Row.of(null, null, null),
                            Row.of(null, null, null));

            album.append(1);
            assertThat(next(stream, 1)).containsExactly(album.rows("id", "front", "back").get(3));
        } finally {
            stream.close();
        }
    }

    @Test
    void anIncrementalReadResolvesTheLayersOfItsSnapshots() throws Exception {
        album.update("front", Map.of(1L, "updated again", 2L, "updated too"));
        FlinkCluster.Session session = FLINK.batch().createPluginCatalog("c", warehouse);
        String query = "SELECT id, front FROM c.db.t /*+ OPTIONS('incremental-between'='%s') */";

        assertThat(session.sql(query, "0,3"))
                .containsExactlyInAnyOrderElementsOf(album.rows("id", "front"));
        assertThat(session.sql(query, "1,3"))
                .containsExactlyInAnyOrder(
                        Row.of(null, null),
                        Row.of(null, "updated again".getBytes(UTF_8)),
                        Row.of(null, "updated too".getBytes(UTF_8)));
        assertThat(session.sql(query, "1,2"))
                .containsExactlyInAnyOrder(
                        Row.of(null, null),
                        Row.of(null, "updated".getBytes(UTF_8)),
                        Row.of(null, null));
    }

    private static List<Row> next(CloseableIterator<Row> rows, int count) {
        List<Row> next = new ArrayList<>();
        while (next.size() < count && rows.hasNext()) {
            next.add(rows.next());
        }
        return next;
    }
}
