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

import java.util.Map;
import java.util.UUID;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.testio.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A misspelled option is a warning that names what was meant. */
class UnknownOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "blob-fallback.enable, blob-fallback.enabled",
        "blob-fallback.enabeld, blob-fallback.enabled",
        "blob-fallback.verify-checksums, blob-fallback.verify-checksum",
        "blob-fallback.parallelism, blob-fallback.read.parallelism",
        "blob-fallback.read.buffersize, blob-fallback.read.buffer-size",
        "blob-fallback.read.coalesce.gap, blob-fallback.read.coalesce-gap",
        "blob-fallback.Enabled, blob-fallback.enabled"
    })
    void theNearestKnownKeyIsNamed(String key, String nearest) {
        assertThat(UnknownOptions.problem(key, BlobFallbackOptions.ofTables()))
                .contains("'" + key + "'")
                .contains("'" + nearest + "'");
    }

    @Test
    void aKnownKeyIsNotReported() {
        BlobFallbackOptions.ofTables()
                .forEach(
                        option ->
                                assertThat(
                                                UnknownOptions.problem(
                                                        option.key(),
                                                        BlobFallbackOptions.ofTables()))
                                        .isNull());
    }

    @Test
    void eachIsLoggedOnceForItsOwnerAndWithoutItsValue() throws Exception {
        String owner = "table db." + UUID.randomUUID();
        Map<String, String> options =
                Map.of("blob-fallback.enabeld", "secret", "bucket", "-1", "blob-as", "x");

        String log =
                CapturedLog.of(
                        "warn",
                        () -> {
                            for (int i = 0; i < 3; i++) {
                                UnknownOptions.warn(owner, options, BlobFallbackOptions.ofTables());
                            }
                        });

        assertThat(log.lines())
                .singleElement()
                .asString()
                .contains("WARN")
                .contains(owner)
                .contains("'blob-fallback.enabeld'")
                .contains("'blob-fallback.enabled'")
                .doesNotContain("secret");
    }
}
