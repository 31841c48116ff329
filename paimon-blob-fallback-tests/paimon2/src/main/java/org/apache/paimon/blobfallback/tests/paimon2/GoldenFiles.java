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

package org.apache.paimon.blobfallback.tests.paimon2;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.blobfallback.tests.bridge.Placeholder;
import org.apache.paimon.fs.local.LocalFileIO;

/**
 * Writes the blob files that the plugin's unit tests read: every mix of data, empty, null and
 * placeholder, as Paimon 2.0 lays them out, and a manifest that says what is in them.
 *
 * <p>The manifest has one line a file, {@code name|type|entries}, the entries separated by spaces:
 *
 * <ul>
 *   <li>{@code -} a placeholder, {@code null} a null;
 *   <li>{@code x00ff} the bytes in hex, {@code x} the empty blob;
 *   <li>{@code 70000*5a} the byte 5a, 70000 times;
 *   <li>{@code [x01,null,x]} an array, {@code [1=x01,2=null]} a map, a null key being {@code null}
 *       and one of bytes {@code x00ff}.
 * </ul>
 */
public final class GoldenFiles {

    /** The name of the manifest in the folder. */
    public static final String MANIFEST = "manifest.txt";

    private static final String SENTINEL = "\u0001BLOBPLHD";

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, List<Object>> entries = new LinkedHashMap<>();

    private GoldenFiles() {}

    /** What Paimon 2.0.0 knows. */
    private static GoldenFiles ofPaimon2() {
        GoldenFiles golden = new GoldenFiles();
        golden.scalars();
        golden.arrays();
        golden.maps();
        return golden;
    }

    /** What only Paimon's master knows. */
    private static GoldenFiles ofMaster() {
        GoldenFiles golden = new GoldenFiles();
        golden.mapsOfMaster();
        return golden;
    }

    /**
     * Writes all files.
     *
     * @param arguments the folder to write to and, on Paimon's master, another for its own files
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1 && arguments.length != 2) {
            throw new IllegalArgumentException(
                    "Expected the folder to write to and, on Paimon's master, another for its own"
                            + " files.");
        }
        write(Path.of(arguments[0]));
        if (arguments.length == 2) {
            writeOfMaster(Path.of(arguments[1]));
        }
    }

    /** Writes the files and their manifest into a folder, over what is there. */
    public static void write(Path folder) throws IOException {
        ofPaimon2().writeTo(folder);
    }

    /** Writes those that only Paimon's master can write, which is to run this. */
    public static void writeOfMaster(Path folder) throws IOException {
        ofMaster().writeTo(folder);
    }

    private void writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        StringBuilder manifest = new StringBuilder();
        for (Map.Entry<String, List<Object>> file : entries.entrySet()) {
            String name = file.getKey() + ".blob";
            String type = types.get(file.getKey());
            Path path = folder.resolve(name);
            Files.deleteIfExists(path);
            BlobFileWriter.write(
                    LocalFileIO.create(),
                    new org.apache.paimon.fs.Path(path.toUri()),
                    Values.type(type),
                    file.getValue());
            manifest.append(name).append('|').append(type).append('|');
            manifest.append(
                    file.getValue().stream()
                            .map(GoldenFiles::token)
                            .collect(Collectors.joining(" ")));
            manifest.append('\n');
        }
        Files.writeString(folder.resolve(MANIFEST), manifest);
    }

    private void scalars() {
        // Every sequence of up to two entries, d(ata), e(mpty), n(ull), p(laceholder).
        add("blob-none", "BLOB", List.of());
        String kinds = "denp";
        for (char first : kinds.toCharArray()) {
            scalar("blob-" + first, String.valueOf(first));
            for (char second : kinds.toCharArray()) {
                scalar("blob-" + first + second, "" + first + second);
            }
        }
        // Every sequence of three, one after the other.
        StringBuilder triples = new StringBuilder();
        for (int i = 0; i < 64; i++) {
            triples.append(kinds.charAt(i / 16))
                    .append(kinds.charAt(i / 4 % 4))
                    .append(kinds.charAt(i % 4));
        }
        scalar("blob-triples", triples.toString());
        scalar("blob-nulls", "nnnnnnn");
        scalar("blob-placeholders", "ppppppp");
        scalar("blob-long", thousands());
        add(
                "blob-lengths",
                "BLOB",
                mixed(0, 1, 47, 48, 63, 64, 111, 112, 127, 128, 8175, 8192, 16367, 70000, 3));
        add(
                "blob-sentinel",
                "BLOB",
                Arrays.asList(
                        SENTINEL.getBytes(StandardCharsets.US_ASCII),
                        Placeholder.UNTOUCHED,
                        SENTINEL.getBytes(StandardCharsets.US_ASCII)));
    }

    /** The k-th data entry is the byte k, k mod 3 + 1 times. */
    private void scalar(String name, String kinds) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < kinds.length(); i++) {
            switch (kinds.charAt(i)) {
                case 'd':
                    values.add(filled(i % 3 + 1, i));
                    break;
                case 'e':
                    values.add(new byte[0]);
                    break;
                case 'n':
                    values.add(null);
                    break;
                default:
                    values.add(Placeholder.UNTOUCHED);
            }
        }
        add(name, "BLOB", values);
    }

    private static String thousands() {
        StringBuilder kinds = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            kinds.append(i % 10 == 0 ? 'd' : i % 101 == 1 ? 'n' : i % 103 == 1 ? 'e' : 'p');
        }
        return kinds.toString();
    }

    /** Blobs of the given lengths with placeholders and nulls between them. */
    private static List<Object> mixed(int... lengths) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            values.add(filled(lengths[i], i));
            if (i % 3 == 1) {
                values.add(Placeholder.UNTOUCHED);
            } else if (i % 3 == 2) {
                values.add(null);
            }
        }
        return values;
    }

    private void arrays() {
        add("array-placeholders", "ARRAY<BLOB>", both(Placeholder.UNTOUCHED));
        add("array-nulls", "ARRAY<BLOB>", both(null));
        add(
                "array-mixed",
                "ARRAY<BLOB>",
                Arrays.asList(
                        List.of(),
                        Placeholder.UNTOUCHED,
                        List.of(filled(3, 1)),
                        null,
                        Arrays.asList(filled(1, 2), null, new byte[0], filled(200, 3)),
                        Placeholder.UNTOUCHED,
                        Collections.singletonList(null),
                        List.of(new byte[0]),
                        Collections.nCopies(100, filled(2, 4))));
    }

    private void maps() {
        add("map-placeholders", "MAP<STRING, BLOB>", both(Placeholder.UNTOUCHED));
        add("map-nulls", "MAP<STRING, BLOB>", both(null));
        maps("map-string", "MAP<STRING, BLOB>", "", "key", "\u00e4\u00f6");
        maps("map-tinyint", "MAP<TINYINT, BLOB>", (byte) 0, (byte) -1, Byte.MAX_VALUE);
        maps("map-smallint", "MAP<SMALLINT, BLOB>", (short) 0, (short) -1, Short.MAX_VALUE);
        maps("map-int", "MAP<INT, BLOB>", 0, -1, Integer.MIN_VALUE);
        maps("map-bigint", "MAP<BIGINT, BLOB>", 0L, -1L, Long.MAX_VALUE);
    }

    private void mapsOfMaster() {
        maps("map-boolean", "MAP<BOOLEAN, BLOB>", false, true, null);
        maps("map-date", "MAP<DATE, BLOB>", date(0), date(-1), date(20_000));
        maps("map-time", "MAP<TIME(3), BLOB>", time(0), time(1), time(86_399_999));
        maps(
                "map-decimal-18",
                "MAP<DECIMAL(18, 2), BLOB>",
                new BigDecimal("0.00"),
                new BigDecimal("-1.05"),
                new BigDecimal("9999999999999999.99"));
        maps(
                "map-decimal-19",
                "MAP<DECIMAL(19, 2), BLOB>",
                new BigDecimal("1.28"),
                new BigDecimal("-1.28"),
                new BigDecimal("-99999999999999999.99"));
        maps("map-binary", "MAP<BINARY(2), BLOB>", new byte[2], filled(2, 0xFF), filled(2, 7));
        maps("map-bytes", "MAP<BYTES, BLOB>", new byte[0], filled(1, 0xFF), filled(3, 7));
    }

    private static LocalDate date(int days) {
        return LocalDate.ofEpochDay(days);
    }

    private static LocalTime time(int millis) {
        return LocalTime.ofNanoOfDay(millis * 1_000_000L);
    }

    private void maps(String name, String type, Object first, Object second, Object third) {
        Map<Object, Object> full = new LinkedHashMap<>();
        full.put(first, filled(3, 1));
        full.put(second, null);
        full.put(third, new byte[0]);
        Map<Object, Object> nullKey = new LinkedHashMap<>();
        nullKey.put(null, filled(1, 2));
        nullKey.put(first, filled(130, 3));
        add(
                name,
                type,
                Arrays.asList(
                        Map.of(),
                        Placeholder.UNTOUCHED,
                        full,
                        null,
                        nullKey,
                        Map.of(second, new byte[0])));
    }

    private static List<Object> both(Object value) {
        return Arrays.asList(value, value);
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private void add(String name, String type, List<Object> values) {
        types.put(name, type);
        entries.put(name, values);
    }

    private static String token(Object value) {
        if (value == null) {
            return "null";
        }
        if (value == Placeholder.UNTOUCHED) {
            return "-";
        }
        if (value instanceof List) {
            return ((List<?>) value)
                    .stream().map(GoldenFiles::token).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map) {
            return ((Map<?, ?>) value)
                    .entrySet().stream()
                            .map(entry -> key(entry.getKey()) + "=" + token(entry.getValue()))
                            .collect(Collectors.joining(",", "[", "]"));
        }
        byte[] bytes = (byte[]) value;

        return bytes.length > 32
                ? bytes.length + "*" + HexFormat.of().toHexDigits(bytes[0])
                : "x" + HexFormat.of().formatHex(bytes);
    }

    /** Dates and times as the numbers that a table has for them. */
    private static String key(Object key) {
        if (key instanceof LocalDate date) {
            return String.valueOf(date.toEpochDay());
        }
        if (key instanceof LocalTime time) {
            return String.valueOf(time.toNanoOfDay() / 1_000_000);
        }
        return key instanceof byte[] ? token(key) : String.valueOf(key);
    }
}
