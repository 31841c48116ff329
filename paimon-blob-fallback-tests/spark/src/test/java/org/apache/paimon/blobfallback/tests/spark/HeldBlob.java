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

package org.apache.paimon.blobfallback.tests.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;

/**
 * A blob behind HTTP that keeps the first two who ask for it waiting, so that a test knows that a
 * task is in the middle of its work.
 */
final class HeldBlob implements Closeable {

    /** As Paimon's {@code BlobDescriptor} has them. */
    private final List<CountDownLatch> held = List.of(new CountDownLatch(1), new CountDownLatch(1));

    private final AtomicInteger requests = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final byte[] content;
    private final HttpServer server;

    HeldBlob(String content) throws IOException {
        this.content = content.getBytes(UTF_8);
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            int number = requests.incrementAndGet();
            synchronized (requests) {
                requests.notifyAll();
            }
            if (number <= held.size()) {
                held.get(number - 1).await();
            }
            exchange.sendResponseHeaders(200, content.length);
            exchange.getResponseBody().write(content);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the blob was asked for so often. */
    void awaitTasks(int count) throws InterruptedException {
        synchronized (requests) {
            while (requests.get() < count) {
                requests.wait();
            }
        }
    }

    /** Lets the first or the second who asked have the blob. */
    void release(int request) {
        held.get(request - 1).countDown();
    }

    /** How often the blob was asked for. */
    int requests() {
        return requests.get();
    }

    /** A literal of SQL: the bytes of a descriptor of the blob. */
    String literal() {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/blob";
        // The whole of it: the host reads no part of what is behind HTTP.
        return DescriptorLiteral.of(new Descriptor(url, 0, -1));
    }

    @Override
    public void close() {
        held.forEach(CountDownLatch::countDown);
        server.stop(0);
        threads.shutdownNow();
    }
}
