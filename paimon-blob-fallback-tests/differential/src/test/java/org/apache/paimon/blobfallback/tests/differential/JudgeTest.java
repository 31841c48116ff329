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

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A judge may go wrong in known ways only. */
class JudgeTest {

    private static final ExpectedRows ROW = ExpectedRows.all(List.of(List.of(List.of(1))));

    private final Judge judge = new Judge(null, null);

    @Test
    void rowsThatTheModelExpectsAreAgreedOn() {
        assertThat(judge.judge(rows(1), ROW, known())).isEmpty();
        assertThat(judge.agreed()).isEqualTo(1);
    }

    @Test
    void otherRowsAreWrongUnlessTheyAreKnownOfSuchARead() {
        assertThat(judge.judge(rows(2), ROW, known(KnownFault.NO_OLDER_LAYER))).isPresent();
        assertThat(judge.judge(rows(2), ROW, known(KnownFault.OTHER_ROWS))).isEmpty();
        assertThat(judge.judge(rows(3), ROW, known(KnownFault.OTHER_ROWS))).isPresent();
        assertThat(judge.agreed()).isZero();
    }

    @Test
    void rowsThatMayBeLostMayNotComeTwice() {
        ExpectedRows rows = ExpectedRows.atLeast(List.of(List.of(1)), List.of(List.of(2)));

        assertThat(rows.matches(List.of(List.of(1)))).isTrue();
        assertThat(rows.matches(List.of(List.of(2), List.of(1)))).isTrue();
        assertThat(rows.matches(List.of(List.of(2)))).isFalse();
        assertThat(rows.matches(List.of(List.of(1), List.of(2), List.of(2)))).isFalse();
        assertThat(rows.difference(List.of(List.of(3)))).contains("1", "3").doesNotContain("2");
    }

    @Test
    void aFailureIsWrongUnlessItIsKnownOfSuchATable() {
        Contestant.Outcome known =
                failure("Should never call this method for placeholder blob array.");
        assertThat(judge.judge(known, ROW, known(KnownFault.OTHER_ROWS))).isPresent();
        assertThat(judge.judge(failure("OutOfMemoryError"), ROW, known(KnownFault.values())))
                .contains("OutOfMemoryError");
        assertThat(judge.judge(known, ROW, known(KnownFault.NO_OLDER_LAYER))).isEmpty();
        assertThat(judge.reads()).isEqualTo(3);
        assertThat(judge.agreed()).isZero();
    }

    /** Faults that may be met; where they change rows, a 2 comes or nothing. */
    private static KnownFaults known(KnownFault... faults) {
        return new KnownFaults(
                Set.of(faults), ExpectedRows.atLeast(List.of(), List.of(List.of(2))));
    }

    private static Contestant.Outcome rows(int value) {
        return new Contestant.Outcome(List.of(List.of(value)), null);
    }

    private static Contestant.Outcome failure(String message) {
        return new Contestant.Outcome(null, message);
    }
}
