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

package org.apache.paimon.blobfallback.read;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.paimon.blobfallback.format.BlobEntries;

/**
 * A stretch of row ids that are resolved together: which of them are to be read, and for each of
 * those the winner once it is found. Places count from the first row id.
 */
final class Window {

    /** Sequence number of a row that no layer decides. */
    static final long NO_SEQUENCE_NUMBER = -1;

    /** Place behind the last. */
    static final int NO_PLACE = -1;

    private final long firstRowId;
    private final BitSet selected;
    private final boolean allSelected;
    private final int length;
    private final BitSet undecided;
    private final BlobEntries winners;
    private final long[] sequenceNumbers;

    /**
     * No row is decided.
     *
     * @param firstRowId row id of the first place
     * @param selected places of the rows to read, the first among them
     */
    Window(long firstRowId, BitSet selected) {
        this.firstRowId = firstRowId;
        this.selected = selected;
        this.length = selected.length();
        this.allSelected = selected.cardinality() == length;
        this.undecided = (BitSet) selected.clone();
        this.winners = new BlobEntries(length);
        this.sequenceNumbers = new long[length];
        Arrays.fill(sequenceNumbers, NO_SEQUENCE_NUMBER);
    }

    /** Forgets what was found for the rows from one on, as a file has turned out unreadable. */
    void undecideFrom(int place) {
        winners.clearFrom(place);
        Arrays.fill(sequenceNumbers, place, length, NO_SEQUENCE_NUMBER);
        undecided.clear();
        undecided.or(selected);
        undecided.clear(0, place);
    }

    /** Number of places. */
    int length() {
        return length;
    }

    long firstRowId() {
        return firstRowId;
    }

    long lastRowId() {
        return firstRowId + length - 1;
    }

    long rowId(int place) {
        return firstRowId + place;
    }

    /** The first place from a row id on, which may be behind the last one. */
    int placeFrom(long rowId) {
        return (int) Math.max(0, Math.min(length, rowId - firstRowId));
    }

    /** The first place from one on whose row is to be read, or {@link #NO_PLACE}. */
    int nextRow(int place) {
        if (allSelected) {
            return place < length ? place : NO_PLACE;
        }
        return selected.nextSetBit(place);
    }

    /** The first place from one on whose row has no winner yet, or {@link #NO_PLACE}. */
    int nextUndecided(int place) {
        return undecided.nextSetBit(place);
    }

    boolean isDecided() {
        return undecided.isEmpty();
    }

    /** Where the winners lie, by place; nothing where there is none or it is an explicit null. */
    BlobEntries winners() {
        return winners;
    }

    long sequenceNumber(int place) {
        return sequenceNumbers[place];
    }

    /** Gives an undecided row an explicit null as its winner. */
    void decide(int place, long sequenceNumber) {
        undecided.clear(place);
        sequenceNumbers[place] = sequenceNumber;
    }

    /** Gives an undecided row its winner, see {@link BlobEntries#set}. */
    void decide(int place, long sequenceNumber, int file, long offset, long entryLength) {
        decide(place, sequenceNumber);
        winners.set(place, file, offset, entryLength);
    }
}
