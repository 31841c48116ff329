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

package org.apache.paimon.blobfallback.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Values with arrays and maps as text, bytes as the text that they are. */
final class Texts {

    private Texts() {}

    static String of(Object value) {
        if (value instanceof Object[] array) {
            return of(Arrays.asList(array));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(Texts::of).toList().toString();
        }
        if (value instanceof Map<?, ?> map) {
            List<String> entries = new ArrayList<>();
            map.forEach((key, element) -> entries.add(key + "=" + of(element)));
            Collections.sort(entries);
            return "{" + String.join(", ", entries) + "}";
        }
        return value instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(value);
    }
}
