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

package org.apache.paimon.blobfallback.read.rows;

import java.util.Arrays;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.entry.BlobEntries;

/**
 * Row ids whose winners are found together: which of them are selected, and the winner of each once
 * it is found. A window is a range of row ids, in which places count from the first row id, or a
 * list of row ids, in which each has the next place. Places ascend with the row ids.
 */
public final class Window {

    /** Sequence number of a row without a winner. */
    public static final long NO_SEQUENCE_NUMBER = -1;

    /** Returned after the last place. */
    public static final int NO_PLACE = -1;

    private final long firstRowId;

    /** By place; null for a stretch. */
    @Nullable private final long[] listed;

    private final BitSet selected;
    private final boolean allSelected;
    private final int length;
    private final BitSet undecided;
    private final BlobEntries winners;
    private final long[] sequenceNumbers;

    /**
     * A window without winners.
     *
     * @param firstRowId row id of the first place
     * @param selected places of the rows to read, the first among them
     */
    Window(long firstRowId, BitSet selected) {
        this(firstRowId, null, selected);
    }

    /**
     * No row is decided.
     *
     * @param rowIds to read, ascending, each once
     */
    static Window of(long... rowIds) {
        BitSet all = new BitSet(rowIds.length);
        all.set(0, rowIds.length);
        return new Window(rowIds[0], rowIds, all);
    }

    private Window(long firstRowId, @Nullable long[] listed, BitSet selected) {
        this.listed = listed;
        this.firstRowId = firstRowId;
        this.selected = selected;
        this.length = selected.length();
        this.allSelected = selected.cardinality() == length;
        this.undecided = (BitSet) selected.clone();
        this.winners = new BlobEntries(length);
        this.sequenceNumbers = new long[length];
        Arrays.fill(sequenceNumbers, NO_SEQUENCE_NUMBER);
    }

    /**
     * Removes the winners of a row and all rows after it, because a file turned out to be
     * unreadable.
     */
    public void undecideFrom(int place) {
        winners.clearFrom(place);
        Arrays.fill(sequenceNumbers, place, length, NO_SEQUENCE_NUMBER);
        undecided.clear();
        undecided.or(selected);
        undecided.clear(0, place);
    }

    /** Number of places. */
    public int length() {
        return length;
    }

    public long firstRowId() {
        return firstRowId;
    }

    public long lastRowId() {
        return rowId(length - 1);
    }

    public long rowId(int place) {
        return listed == null ? firstRowId + place : listed[place];
    }

    /** The first place at or after a row id; may be after the last one. */
    public int placeFrom(long rowId) {
        if (listed == null) {
            return (int) Math.max(0, Math.min(length, rowId - firstRowId));
        }
        int place = Arrays.binarySearch(listed, rowId);
        return place < 0 ? -place - 1 : place;
    }

    /** The first place, from the given one on, whose row is selected, or {@link #NO_PLACE}. */
    public int nextRow(int place) {
        if (allSelected) {
            return place < length ? place : NO_PLACE;
        }
        return selected.nextSetBit(place);
    }

    /**
     * The first place, from the given one on, whose row has no winner yet, or {@link #NO_PLACE}.
     */
    public int nextUndecided(int place) {
        return undecided.nextSetBit(place);
    }

    public boolean isDecided() {
        return undecided.isEmpty();
    }

    /**
     * The entries of the winners, by place; none if there is no winner or it is an explicit null.
     */
    public BlobEntries winners() {
        return winners;
    }

    public long sequenceNumber(int place) {
        return sequenceNumbers[place];
    }

    /** Sets an explicit null as the winner of a row. */
    public void decide(int place, long sequenceNumber) {
        undecided.clear(place);
        sequenceNumbers[place] = sequenceNumber;
    }

    /** Sets the winner of a row, see {@link BlobEntries#set}. */
    public void decide(int place, long sequenceNumber, int file, long offset, long entryLength) {
        decide(place, sequenceNumber);
        winners.set(place, file, offset, entryLength);
    }
}
