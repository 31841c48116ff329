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

package org.apache.paimon.blobfallback.tests.update;

import java.io.IOException;
import java.util.Map;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.rest.RESTCatalogServer;
import org.apache.paimon.rest.auth.BearTokenAuthProvider;
import org.apache.paimon.rest.responses.ConfigResponse;
import org.apache.paimon.table.Table;
import org.junit.jupiter.api.AfterEach;

/** The host's REST catalog before the host's own test server, which makes the commits. */
class RestCatalogTest extends DelegateTestBase {

    private static final String TOKEN = "token";

    private RESTCatalogServer server;

    @Override
    Map<String, String> delegate() throws Exception {
        server =
                new RESTCatalogServer(
                        folder.toString(),
                        new BearTokenAuthProvider(TOKEN),
                        new ConfigResponse(Map.of("prefix", "paimon"), Map.of()),
                        "warehouse");
        server.start();
        return Map.of(
                "metastore", "rest",
                "warehouse", "warehouse",
                "uri", server.getUrl(),
                "token", TOKEN,
                "token.provider", "bear");
    }

    @AfterEach
    void stopServer() throws IOException {
        server.shutdown();
    }

    /** Only the server knows of a commit, so there is no writer beside it. */
    @Override
    void updateByAnother(long rowId, String value) throws Exception {
        update(rowId, value);
    }

    @Override
    Table branch(String name) throws Exception {
        return catalog.getTable(new Identifier("db", "t", name));
    }
}
