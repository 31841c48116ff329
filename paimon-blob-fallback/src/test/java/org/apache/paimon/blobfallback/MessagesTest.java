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

package org.apache.paimon.blobfallback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages, and SQL that is formatted like them, are the same in each locale. */
class MessagesTest {

    /**
     * Formats that depend on the locale. {@code %s} writes a number with the digits that everybody
     * searches for, in the host's checks too, which have no locale.
     */
    private static final Pattern LOCALIZED =
            Pattern.compile(
                    "%(\\d+\\$)?[-#+ 0,(<]*\\d*(\\.\\d+)?[deEfgGaAtT]|toLowerCase\\(\\)|toUpperCase\\(\\)");

    @Test
    void noDigitFollowsTheLocale() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher matcher = LOCALIZED.matcher(Files.readString(file));
                while (matcher.find()) {
                    found.add(file.getFileName() + ": " + matcher.group());
                }
            }
        }

        assertThat(found).isEmpty();
    }

    @Test
    void whatIsAllowedHasTheSameDigitsWhereOthersAreUsual() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(String.format("%d", 18)).isEqualTo("\u0661\u0668");
            assertThat(String.format("%1$s %2$5s %3$08x", 18, 18L, 18))
                    .isEqualTo("18    18 00000012");
        } finally {
            Locale.setDefault(before);
        }
    }
}
