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

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.paimon.blobfallback.tests.bridge.PaimonReader;
import org.apache.paimon.blobfallback.tests.bridge.PaimonWriter;

/**
 * A newer Paimon that writes tables and reads those of all, and a tally of how far it agrees with
 * the model. It may go wrong in the ways that are known of it and in no other, so that a slip in
 * the model or in a Paimon that fails everywhere does not pass.
 */
final class Judge implements Closeable {

    private final Contestant contestant;
    private final PaimonWriter writer;
    private final Map<KnownFault, Integer> faults = new EnumMap<>(KnownFault.class);
    private int reads;
    private int agreed;

    Judge(Contestant contestant, PaimonWriter writer) {
        this.contestant = contestant;
        this.writer = writer;
    }

    Contestant contestant() {
        return contestant;
    }

    PaimonWriter writer() {
        return writer;
    }

    PaimonReader reader() {
        return contestant.reader();
    }

    /**
     * Takes the outcome of a read into the tally.
     *
     * @param possible the faults that can be met in such a read of such a table
     * @return what is wrong with it, if it is no fault that is known
     */
    Optional<String> judge(
            Contestant.Outcome outcome, ExpectedRows expected, KnownFaults possible) {
        reads++;
        if (outcome.matches(expected)) {
            agreed++;
            return Optional.empty();
        }
        Optional<KnownFault> fault = possible.of(outcome);
        fault.ifPresent(known -> faults.merge(known, 1, Integer::sum));
        return fault.isPresent()
                ? Optional.empty()
                : Optional.of(possible.difference(outcome, expected));
    }

    int reads() {
        return reads;
    }

    int agreed() {
        return agreed;
    }

    /** The tally in one line, and a line for each fault that was met. */
    String summary() {
        StringBuilder text = new StringBuilder();
        text.append(String.format("%s: %d reads, %d as the model says", contestant, reads, agreed));
        faults.forEach((fault, count) -> text.append(String.format("%n  %5d %s", count, fault)));
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        contestant.close();
        writer.close();
    }
}
