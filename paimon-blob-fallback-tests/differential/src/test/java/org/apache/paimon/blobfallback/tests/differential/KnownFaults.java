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

import java.util.Optional;
import java.util.Set;

/**
 * What can go wrong in a newer Paimon in one read.
 *
 * @param faults those that can be met
 * @param rows what it returns if it does not fail, where one of them changes the rows
 */
record KnownFaults(Set<KnownFault> faults, ExpectedRows rows) {

    /** The fault that an outcome is of, empty if none explains it. */
    Optional<KnownFault> of(Contestant.Outcome outcome) {
        if (outcome.rows() == null) {
            return faults.stream().filter(fault -> fault.explains(outcome.failure())).findFirst();
        }
        return faults.stream()
                .filter(KnownFault::changesRows)
                .findFirst()
                .filter(fault -> rows.matches(outcome.rows()));
    }

    /** How an outcome that no fault explains differs from all that may come. */
    String difference(Contestant.Outcome outcome, ExpectedRows expected) {
        return outcome.rows() != null && faults.stream().anyMatch(KnownFault::changesRows)
                ? "beyond what is known: " + rows.difference(outcome.rows())
                : outcome.difference(expected);
    }
}
