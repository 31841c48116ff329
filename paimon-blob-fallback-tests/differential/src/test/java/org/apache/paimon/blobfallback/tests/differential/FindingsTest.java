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

package org.apache.paimon.blobfallback.tests.differential;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What went wrong is counted to the end of a run, and none of the plugin's faults is lost. */
class FindingsTest {

    private final Findings findings = new Findings();

    @Test
    void faultsOfThePluginComeFirstAndInFull() {
        for (int i = 0; i < 9; i++) {
            findings.add(Findings.Kind.JUDGE, "paimon-2.0", 4, "judged " + i + ".");
        }
        for (int i = 0; i < 9; i++) {
            findings.add(Findings.Kind.PLUGIN, "plugin-then-host", 5, "found " + i + ".");
        }

        assertThat(findings.details())
                .contains("found 0.", "found 8.", "judged 0.")
                .doesNotContain("judged 1.")
                .startsWith("PLUGIN, plugin-then-host: -Ddifferential.seed=5 ");
        assertThat(findings.count(Findings.Kind.PLUGIN)).isEqualTo(9);
        assertThat(findings.count(Findings.Kind.JUDGE)).isEqualTo(9);
        assertThat(findings.isEmpty()).isFalse();
    }

    @Test
    void theSummaryNamesEachSeedAndHowOften() {
        findings.add(Findings.Kind.JUDGE, "paimon-2.0", 4, "one");
        findings.add(Findings.Kind.JUDGE, "paimon-2.0", 4, "another");
        findings.add(Findings.Kind.TABLE, "table of paimon-master", 6, "a failure");

        assertThat(findings.summary().lines())
                .containsExactly(
                        "PLUGIN: 0 wrong",
                        "TABLE: 1 wrong",
                        "  table of paimon-master, by seed: {6=1}",
                        "JUDGE: 2 wrong",
                        "  paimon-2.0, by seed: {4=2}");
    }

    @Test
    void aRunWithoutFindingsIsEmpty() {
        assertThat(findings.isEmpty()).isTrue();
        assertThat(findings.details()).isEmpty();
    }
}
