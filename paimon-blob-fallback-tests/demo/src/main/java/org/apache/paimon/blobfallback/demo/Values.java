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

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.paimon.data.BlobDescriptor;

/** Shows a value of a result as a person likes to read it. */
final class Values {

    private Values() {}

    /** The value on one line; blobs by what they are rather than by their bytes. */
    static String show(Object value) {
        if (value == null) {
            return "NULL";
        }
        if (value instanceof byte[] bytes) {
            return BlobDescriptor.isBlobDescriptor(bytes)
                    ? show(BlobDescriptor.deserialize(bytes))
                    : Pictures.describe(bytes);
        }
        if (value instanceof Object[] elements) {
            return Arrays.stream(elements)
                    .map(Values::show)
                    .collect(Collectors.joining(" | ", "[", "]"));
        }
        if (value instanceof List<?> elements) {
            return show(elements.toArray());
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> show(entry.getKey()) + " = " + show(entry.getValue()))
                    .collect(Collectors.joining(" | ", "{", "}"));
        }
        return value.toString();
    }

    private static String show(BlobDescriptor descriptor) {
        return String.format(
                "%s offset=%d length=%d -> %s",
                fileName(descriptor.uri()),
                descriptor.offset(),
                descriptor.length(),
                target(descriptor));
    }

    /** The end of the file's name, which is enough to tell the files of a table apart. */
    private static String fileName(String uri) {
        String name = uri.substring(uri.lastIndexOf('/') + 1);
        return name.length() <= 11 ? name : ".." + name.substring(name.length() - 9);
    }

    /** What lies where the descriptor points, for files that are on this machine. */
    private static String target(BlobDescriptor descriptor) {
        if (descriptor.length() < 0 || descriptor.length() > Integer.MAX_VALUE) {
            return "nothing has this length";
        }
        URI uri = URI.create(descriptor.uri());
        if (uri.getScheme() != null && !uri.getScheme().equals("file")) {
            return "elsewhere";
        }
        byte[] bytes = new byte[(int) descriptor.length()];
        try (RandomAccessFile file = new RandomAccessFile(Path.of(uri.getPath()).toFile(), "r")) {
            file.seek(descriptor.offset());
            file.readFully(bytes);
            return Pictures.describe(bytes);
        } catch (EOFException e) {
            return "past the end of the file";
        } catch (IOException e) {
            return "unreadable (" + e.getMessage() + ")";
        }
    }
}
