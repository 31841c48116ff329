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

package org.apache.paimon.blobfallback.format.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;

/**
 * A blob file that Paimon 2.0.0 or, for what comes after it, Paimon's master wrote, and what is in
 * it. The program that writes them, and the grammar of their manifest, is {@code GoldenFiles} in
 * the tests' paimon2 module.
 *
 * @param path where the file is
 * @param type SQL type of its column
 * @param entries its entries in order: {@code byte[]}, {@code List}, {@code Map}, null or {@link
 *     #PLACEHOLDER}; map keys are of the type's Java class, strings as {@code String}, bytes as
 *     {@code ByteBuffer}
 */
public record GoldenFile(Path path, String type, List<Object> entries) {

    /** Stands for a placeholder among the entries. */
    public static final Object PLACEHOLDER =
            new Object() {
                @Override
                public String toString() {
                    return "PLACEHOLDER";
                }
            };

    /**
     * All golden files, in the order of the manifests: those of 2.0.0, then those of the master.
     */
    public static List<GoldenFile> all() {
        List<GoldenFile> files = new ArrayList<>(in("/golden"));
        files.addAll(in("/golden-master"));
        return files;
    }

    private static List<GoldenFile> in(String resource) {
        try {
            Path folder = Path.of(GoldenFile.class.getResource(resource).toURI());
            List<GoldenFile> files = new ArrayList<>();
            for (String line : Files.readAllLines(folder.resolve("manifest.txt"))) {
                String[] parts = line.split("\\|", -1);
                files.add(
                        new GoldenFile(
                                folder.resolve(parts[0]), parts[1], entries(parts[1], parts[2])));
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The golden files of columns of one type, such as {@code BLOB}. */
    public static List<GoldenFile> ofType(String prefix) {
        return all().stream().filter(file -> file.type().startsWith(prefix)).toList();
    }

    /** The golden file of a name without its ending, such as {@code blob-triples}. */
    public static GoldenFile named(String name) {
        return all().stream()
                .filter(file -> file.path().endsWith(name + ".blob"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No golden file " + name));
    }

    /** The type of its column. */
    public DataType dataType() {
        return switch (type) {
            case "BLOB" -> DataTypes.BLOB();
            case "ARRAY<BLOB>" -> DataTypes.ARRAY(DataTypes.BLOB());
            case "MAP<STRING, BLOB>" -> DataTypes.MAP(DataTypes.STRING(), DataTypes.BLOB());
            case "MAP<TINYINT, BLOB>" -> DataTypes.MAP(DataTypes.TINYINT(), DataTypes.BLOB());
            case "MAP<SMALLINT, BLOB>" -> DataTypes.MAP(DataTypes.SMALLINT(), DataTypes.BLOB());
            case "MAP<INT, BLOB>" -> DataTypes.MAP(DataTypes.INT(), DataTypes.BLOB());
            case "MAP<BIGINT, BLOB>" -> DataTypes.MAP(DataTypes.BIGINT(), DataTypes.BLOB());
            case "MAP<BOOLEAN, BLOB>" -> DataTypes.MAP(DataTypes.BOOLEAN(), DataTypes.BLOB());
            case "MAP<DATE, BLOB>" -> DataTypes.MAP(DataTypes.DATE(), DataTypes.BLOB());
            case "MAP<TIME(3), BLOB>" -> DataTypes.MAP(DataTypes.TIME(3), DataTypes.BLOB());
            case "MAP<DECIMAL(18, 2), BLOB>" ->
                    DataTypes.MAP(DataTypes.DECIMAL(18, 2), DataTypes.BLOB());
            case "MAP<DECIMAL(19, 2), BLOB>" ->
                    DataTypes.MAP(DataTypes.DECIMAL(19, 2), DataTypes.BLOB());
            case "MAP<BINARY(2), BLOB>" -> DataTypes.MAP(DataTypes.BINARY(2), DataTypes.BLOB());
            case "MAP<BYTES, BLOB>" -> DataTypes.MAP(DataTypes.BYTES(), DataTypes.BLOB());
            default -> throw new IllegalArgumentException(type);
        };
    }

    /** The file's bytes. */
    public byte[] bytes() {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return path.getFileName().toString();
    }

    private static List<Object> entries(String type, String tokens) {
        List<Object> entries = new ArrayList<>();
        if (!tokens.isEmpty()) {
            for (String token : tokens.split(" ")) {
                entries.add(entry(type, token));
            }
        }
        return entries;
    }

    private static Object entry(String type, String token) {
        if (token.equals("-")) {
            return PLACEHOLDER;
        }
        if (token.startsWith("[")) {
            String inner = token.substring(1, token.length() - 1);
            String[] elements = inner.isEmpty() ? new String[0] : inner.split(",");
            return type.startsWith("ARRAY") ? array(elements) : map(type, elements);
        }
        return blob(token);
    }

    private static List<Object> array(String[] elements) {
        List<Object> array = new ArrayList<>();
        for (String element : elements) {
            array.add(blob(element));
        }
        return array;
    }

    private static Map<Object, Object> map(String type, String[] elements) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (String element : elements) {
            int equals = element.indexOf('=');
            map.put(key(type, element.substring(0, equals)), blob(element.substring(equals + 1)));
        }
        return map;
    }

    private static Object key(String type, String key) {
        if (key.equals("null")) {
            return null;
        }
        String keyType = type.substring("MAP<".length(), type.lastIndexOf(','));
        return switch (keyType) {
            case "TINYINT" -> Byte.valueOf(key);
            case "SMALLINT" -> Short.valueOf(key);
            case "INT" -> Integer.valueOf(key);
            case "BIGINT" -> Long.valueOf(key);
            case "BOOLEAN" -> Boolean.valueOf(key);
            case "DATE", "TIME(3)" -> Integer.valueOf(key);
            case "DECIMAL(18, 2)" -> Decimal.fromBigDecimal(new BigDecimal(key), 18, 2);
            case "DECIMAL(19, 2)" -> Decimal.fromBigDecimal(new BigDecimal(key), 19, 2);
            case "BINARY(2)", "BYTES" -> ByteBuffer.wrap(blob(key));
            default -> key;
        };
    }

    private static byte[] blob(String token) {
        if (token.equals("null")) {
            return null;
        }
        int times = token.indexOf('*');
        if (times < 0) {
            return HexFormat.of().parseHex(token.substring(1));
        }
        byte[] bytes = new byte[Integer.parseInt(token.substring(0, times))];
        Arrays.fill(bytes, (byte) HexFormat.fromHexDigits(token, times + 1, times + 3));
        return bytes;
    }
}
