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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.paimon.deletionvectors.BitmapDeletionVector;
import org.apache.paimon.utils.Range;

/** Row selections against sets of row ids (R6, R9). */
class RowSelectionPropertyTest {

    private static final Range GROUP = new Range(100, 139);

    @Provide
    Arbitrary<List<Range>> ranges() {
        return range().list().ofMaxSize(5);
    }

    @Provide
    Arbitrary<Range> range() {
        return Combinators.combine(
                        Arbitraries.longs().between(90, 145), Arbitraries.longs().between(0, 12))
                .as((from, length) -> new Range(from, from + length));
    }

    @Property(tries = 1000)
    void aSelectionIsTheRowIdsOfItsRangesWithoutTheDeletedOnes(
            @ForAll("ranges") List<Range> ranges,
            @ForAll Set<@IntRange(max = 39) Integer> deleted,
            @ForAll("range") Range file) {
        Set<Long> expected = new TreeSet<>();
        for (Range range : ranges) {
            for (long rowId = range.from; rowId <= range.to; rowId++) {
                if (GROUP.from <= rowId && rowId <= GROUP.to) {
                    expected.add(rowId);
                }
            }
        }
        RowSelection selection = RowSelection.of(GROUP, ranges);
        assertSelects(selection, expected, file);

        BitmapDeletionVector deletionVector = new BitmapDeletionVector();
        for (int position : deleted) {
            deletionVector.delete(position);
            expected.remove(GROUP.from + position);
        }
        assertSelects(selection.without(deletionVector, GROUP.from), expected, file);
    }

    private static void assertSelects(RowSelection selection, Set<Long> expected, Range file) {
        assertThat(rowIds(selection)).containsExactlyElementsOf(expected);
        assertThat(selection.count()).isEqualTo(expected.size());
        assertThat(selection.isEmpty()).isEqualTo(expected.isEmpty());
        assertThat(selection.intersects(file))
                .isEqualTo(expected.stream().anyMatch(id -> file.from <= id && id <= file.to));
        assertThat(selection.isExactly(GROUP)).isEqualTo(expected.size() == GROUP.count());
    }

    private static Collection<Long> rowIds(RowSelection selection) {
        List<Long> rowIds = new ArrayList<>();
        for (Range range : selection.ranges()) {
            for (long rowId = range.from; rowId <= range.to; rowId++) {
                rowIds.add(rowId);
            }
        }
        return rowIds;
    }
}
