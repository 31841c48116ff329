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

import static org.apache.paimon.blobfallback.tests.differential.Sides.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.TableDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** System tables that hand out rows hand them out as on Paimon 2.0. */
class SystemTablesTest {

    @TempDir private Path warehouse;

    @ParameterizedTest
    @ValueSource(strings = {"row_tracking", "ro", "audit_log", "binlog"})
    void systemTableOfRowsKnowsPlaceholders(String systemTable) throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);

            sides.agreeOn(ReadRequest.all("db.t$" + systemTable));
        }
    }

    @Test
    void branchIsReadWithItsOwnLayers() throws Exception {
        try (Sides sides = new Sides(warehouse)) {
            write(sides);
            sides.writer().createTag("db.t", "v1");
            sides.writer().createBranch("db.t", "b1", "v1");
            sides.writer()
                    .update("db.t", List.of("b"), Map.of(2L, List.of(bytes("main"))), Map.of());

            sides.agreeOn(ReadRequest.all("db.t$branch_b1"));
            sides.agreeOn(ReadRequest.all("db.t"));
            sides.agreeOn(ReadRequest.all("db.t").with("scan.tag-name", "v1"));
            assertThat(sides.read(ReadRequest.all("db.t")))
                    .isNotEqualTo(sides.read(ReadRequest.all("db.t$branch_b1")));
        }
    }

    private static void write(Sides sides) throws Exception {
        sides.writer().createTable("db.t", TableDefinition.of("id", "INT", "b", "BLOB"));
        sides.writer()
                .append(
                        "db.t",
                        List.of(
                                List.of(0, bytes("a")),
                                List.of(1, bytes("bb")),
                                List.of(2, bytes("ccc"))));
        sides.writer().update("db.t", List.of("b"), Map.of(1L, List.of(bytes("new"))), Map.of());
    }
}
