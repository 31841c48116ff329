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

package org.apache.paimon.blobfallback.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A table is named in the log when it is first read, and not again. */
class FirstUseTest {

    @Test
    void aTableIsNamedOncePerJvm() {
        String first = "file:/first-" + UUID.randomUUID();
        String second = "file:/second-" + UUID.randomUUID();

        assertThat(FirstUse.isFirst(first)).isTrue();
        assertThat(FirstUse.isFirst(second)).isTrue();
        assertThat(FirstUse.isFirst(first)).isFalse();
        assertThat(FirstUse.isFirst(second)).isFalse();
    }
}
