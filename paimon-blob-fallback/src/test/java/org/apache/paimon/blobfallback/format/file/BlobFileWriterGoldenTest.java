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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.blobfallback.format.BlobPlaceholder;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.local.LocalFileIO;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** F2, F7: the writer writes entries byte for byte as Paimon does. */
class BlobFileWriterGoldenTest {

    @TempDir java.nio.file.Path folder;

    static List<GoldenFile> goldenFiles() {
        return GoldenFile.all();
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void theBytesAreThoseOfPaimon(GoldenFile golden) throws IOException {
        java.nio.file.Path file = folder.resolve("written.blob");
        RowType type = RowType.of(new DataType[] {golden.dataType()}, new String[] {"f"});
        try (PositionOutputStream out =
                        LocalFileIO.create().newOutputStream(new Path(file.toUri()), true);
                BlobFileWriter writer = new BlobFileWriter(out, type, null, false)) {
            for (Object entry : golden.entries()) {
                writer.addElement(GenericRow.of(value(type.getTypeAt(0), entry)));
            }
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(golden.bytes());
    }

    private static Object value(DataType type, Object entry) {
        boolean isPlaceholder = entry == GoldenFile.PLACEHOLDER;
        return switch (type.getTypeRoot()) {
            case ARRAY ->
                    isPlaceholder
                            ? new GenericArray(new Object[] {BlobPlaceholder.INSTANCE})
                            : array((List<?>) entry);
            case MAP ->
                    isPlaceholder
                            ? new GenericMap(Map.of(0, BlobPlaceholder.INSTANCE))
                            : map((Map<?, ?>) entry);
            default -> isPlaceholder ? BlobPlaceholder.INSTANCE : blob(entry);
        };
    }

    private static GenericArray array(List<?> elements) {
        return elements == null
                ? null
                : new GenericArray(elements.stream().map(BlobFileWriterGoldenTest::blob).toArray());
    }

    private static GenericMap map(Map<?, ?> elements) {
        if (elements == null) {
            return null;
        }
        Map<Object, Object> map = new LinkedHashMap<>();
        elements.forEach((key, value) -> map.put(internalKey(key), blob(value)));
        return new GenericMap(map);
    }

    private static Object internalKey(Object key) {
        if (key instanceof ByteBuffer bytes) {
            return bytes.array();
        }
        return key instanceof String text ? BinaryString.fromString(text) : key;
    }

    private static Blob blob(Object bytes) {
        return bytes == null ? null : Blob.fromData((byte[]) bytes);
    }
}
