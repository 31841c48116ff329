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

package org.apache.paimon.blobfallback.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/**
 * A partial update by Paimon 2.0, and what Paimon 1.4 reads then, without the plugin and with it.
 */
final class Story {

    private static final String SELECT = "SELECT * FROM " + Products.TABLE;
    private static final String SELECT_DESCRIPTORS =
            SELECT + " /*+ OPTIONS('blob-as-descriptor'='true') */";

    private static final String SELECT_PICTURES = "SELECT picture FROM " + Products.TABLE;

    private final Path warehouse;
    private int chapter;

    /**
     * @param warehouse an empty folder
     */
    Story(Path warehouse) {
        this.warehouse = warehouse;
    }

    /** Prints the story as it happens; returns whether the plugin read what Paimon 2.0 wrote. */
    boolean tell() throws Exception {
        Map<Integer, byte[]> pictures = write();
        heading("Paimon 1.4.2 reads the table");
        readWithoutPlugin();
        say("Errors, impossible lengths, and, without an error, bytes that are not the row's.");
        heading("Paimon 1.4.2 with the plugin reads the table");
        HostProcess.Result result = readWithPlugin();
        heading("Where each picture comes from");
        drawLayers();
        heading("Result");
        return judge(result, pictures);
    }

    /** Returns the pictures that the table then holds, by id. */
    private Map<Integer, byte[]> write() throws Exception {
        try (PaimonRuntime paimon2 = Runtimes.paimon2();
                PaimonWriter writer = paimon2.find(PaimonWriter.class)) {
            writer.open(warehouse.toString(), Map.of());
            Products products = new Products(writer);
            heading("Paimon 2.0.0 writes a table with a picture in each row");
            print(products.write());
            heading("Paimon 2.0.0 updates two of the pictures");
            print(products.update());
            say("The new blob file holds bytes for these rows and placeholders for the others.");
            return products.pictures();
        }
    }

    private void readWithoutPlugin() throws IOException, InterruptedException {
        HostProcess.stock()
                .run(
                        SqlSession.class,
                        List.of(
                                SqlSession.SILENT + Catalogs.stock(warehouse.toString()),
                                SqlSession.SILENT + Catalogs.USE,
                                SELECT,
                                SELECT_PICTURES,
                                SELECT_DESCRIPTORS));
    }

    private HostProcess.Result readWithPlugin() throws IOException, InterruptedException {
        return HostProcess.withPlugin()
                .run(
                        SqlSession.class,
                        List.of(
                                Catalogs.plugin(warehouse.toString()),
                                SqlSession.SILENT + Catalogs.USE,
                                SELECT,
                                SELECT_PICTURES,
                                SELECT_DESCRIPTORS));
    }

    private void drawLayers() throws IOException, InterruptedException {
        HostProcess.withPlugin()
                .run(
                        Layers.class,
                        List.of(warehouse.toString(), Products.TABLE, Products.PICTURE, "0"));
    }

    private boolean judge(HostProcess.Result result, Map<Integer, byte[]> pictures) {
        List<Integer> wrong =
                pictures.keySet().stream()
                        .filter(id -> !cameBack(id, pictures.get(id), result.lines()))
                        .toList();
        if (!result.succeeded() || !wrong.isEmpty()) {
            say("WRONG: these rows did not come back as Paimon 2.0.0 wrote them: " + wrong);
            return false;
        }
        say(
                "RIGHT: all "
                        + pictures.size()
                        + " pictures came back as Paimon 2.0.0 wrote them, as bytes and as descriptors.");
        say("");
        say("The table stays there. Look at it again:");
        say(
                "  bin/demo --warehouse %s --table %s --sql \"SELECT name, picture FROM products\""
                        .formatted(shortest(warehouse), Products.TABLE));
        return true;
    }

    /** Whether the picture is in the row of both results, as bytes and behind its descriptor. */
    private static boolean cameBack(int id, byte[] picture, List<String> lines) {
        String expected = Pictures.describe(picture);
        return lines.stream()
                        .filter(line -> line.strip().startsWith(id + " "))
                        .filter(line -> line.endsWith(expected))
                        .count()
                == 2;
    }

    private static Path shortest(Path path) {
        Path here = Path.of("").toAbsolutePath();
        return path.startsWith(here) ? here.relativize(path) : path;
    }

    private void heading(String text) {
        String numbered = ++chapter + ". " + text;
        System.out.println();
        System.out.println(numbered);
        System.out.println("=".repeat(numbered.length()));
        System.out.println();
    }

    private static void print(Map<Integer, byte[]> pictures) {
        TextTable table = new TextTable(List.of("id", "name", "picture"));
        pictures.forEach(
                (id, picture) ->
                        table.add(
                                List.of(
                                        id.toString(),
                                        Products.name(id),
                                        Pictures.describe(picture))));
        table.lines().forEach(System.out::println);
        System.out.println();
    }

    private static void say(String text) {
        System.out.println(("  " + text).stripTrailing());
    }
}
