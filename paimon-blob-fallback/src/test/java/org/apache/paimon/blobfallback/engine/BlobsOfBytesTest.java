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

package org.apache.paimon.blobfallback.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.data.BlobDescriptor;
import org.apache.paimon.options.Options;
import org.apache.paimon.utils.UriReaderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of a descriptor stand for what it names, whatever characters the name has. */
class BlobsOfBytesTest {

    @TempDir Path folder;

    private final BlobsOfBytes blobs =
            new BlobsOfBytes(new UriReaderFactory(CatalogContext.create(new Options())));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain", "a b", " a", "é ü 图", "50%", "a%20b", "%zz", "a#b", "a?b", "a;b=c,d",
                "[a]", "a:b", "{a}|^`", "a\\b", "a'b\"c", "a&b+c"
            })
    void aFileMayHaveAnyName(String name) throws Exception {
        Path file = Files.createDirectories(folder.resolve(name + "/day=" + name)).resolve(name);
        Files.write(file, "0123456789".getBytes(UTF_8));

        for (String uri : new String[] {file.toString(), "file:" + file, "file://" + file}) {
            assertThat(blobs.blob(new BlobDescriptor(uri, 2, 5).serialize()).toData())
                    .as(uri)
                    .asString(UTF_8)
                    .isEqualTo("23456");
        }
    }

    @Test
    void aUrlIsTakenAsItIs() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] asked = exchange.getRequestURI().toString().getBytes(UTF_8);
                    exchange.sendResponseHeaders(200, asked.length);
                    exchange.getResponseBody().write(asked);
                    exchange.close();
                });
        server.start();
        try {
            String host = "http://127.0.0.1:" + server.getAddress().getPort();
            String path = "/a%20b/%C3%A9?q=1%202";
            assertThat(blobs.blob(new BlobDescriptor(host + path, 0, -1).serialize()).toData())
                    .asString(UTF_8)
                    .isEqualTo(path);

            byte[] wrong = new BlobDescriptor(host + "/a b?password", 0, -1).serialize();
            assertThatThrownBy(() -> blobs.blob(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A descriptor names " + host + "/a b, which is not a URL.");
        } finally {
            server.stop(0);
        }
    }
}
