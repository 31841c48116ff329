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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.apache.paimon.blobfallback.tests.bridge.Descriptor;

/** A descriptor as SQL has it: a literal of its serialized form. */
final class DescriptorLiteral {

    private static final byte VERSION = 2;
    private static final long MAGIC = 0x424C4F4244455343L;

    private DescriptorLiteral() {}

    static String of(Descriptor descriptor) {
        byte[] uri = descriptor.uri().getBytes(UTF_8);
        ByteBuffer bytes =
                ByteBuffer.allocate(1 + 8 + 4 + uri.length + 8 + 8).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(VERSION).putLong(MAGIC).putInt(uri.length).put(uri);
        bytes.putLong(descriptor.offset()).putLong(descriptor.length());
        return "X'" + HexFormat.of().formatHex(bytes.array()) + "'";
    }
}
