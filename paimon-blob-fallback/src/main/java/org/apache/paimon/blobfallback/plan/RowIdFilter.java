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

package org.apache.paimon.blobfallback.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.paimon.predicate.Between;
import org.apache.paimon.predicate.CompoundPredicate;
import org.apache.paimon.predicate.Equal;
import org.apache.paimon.predicate.In;
import org.apache.paimon.predicate.LeafPredicate;
import org.apache.paimon.predicate.Or;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.utils.Range;

/** Splits a filter into row ids and the rest, for statistics and indexes. */
final class RowIdFilter implements PredicateVisitor<Optional<List<Range>>> {

    private static final String ROW_ID = SpecialFields.ROW_ID.name();

    private RowIdFilter() {}

    /**
     * The only row ids that can pass a filter, ascending; empty if the filter does not restrict row
     * ids.
     */
    static Optional<List<Range>> rowIds(Predicate filter) {
        return filter.visit(new RowIdFilter());
    }

    /**
     * A filter on columns alone that is passed by all rows that pass the given filter; null for
     * none.
     */
    @Nullable
    static Predicate withoutRowIds(Predicate filter) {
        if (!namesRowId(filter)) {
            return filter;
        }
        List<Predicate> conjuncts = PredicateBuilder.splitAnd(filter);
        List<Predicate> left = new ArrayList<>();
        for (Predicate conjunct : conjuncts) {
            if (!namesRowId(conjunct)) {
                left.add(conjunct);
            }
        }
        return left.isEmpty() ? null : PredicateBuilder.and(left);
    }

    /** Whether a filter depends on row ids. */
    static boolean namesRowId(Predicate filter) {
        return PredicateVisitor.collectFieldNames(filter).contains(ROW_ID);
    }

    @Override
    public Optional<List<Range>> visit(LeafPredicate leaf) {
        if (!leaf.fieldRefOptional().isPresent()
                || !leaf.fieldRefOptional().get().name().equals(ROW_ID)) {
            return Optional.empty();
        }
        List<Range> ranges = new ArrayList<>();
        if (leaf.function() instanceof Equal || leaf.function() instanceof In) {
            for (Object rowId : leaf.literals()) {
                add(ranges, rowId, rowId);
            }
        } else if (leaf.function() instanceof Between) {
            add(ranges, leaf.literals().get(0), leaf.literals().get(1));
        } else {
            return Optional.empty();
        }
        return Optional.of(Range.sortAndMergeOverlap(ranges, true));
    }

    /** No row id equals null or is in a range that ends before it starts. */
    private static void add(List<Range> ranges, @Nullable Object from, @Nullable Object to) {
        if (from != null && to != null && (Long) from <= (Long) to) {
            ranges.add(new Range((Long) from, (Long) to));
        }
    }

    @Override
    public Optional<List<Range>> visit(CompoundPredicate compound) {
        boolean or = compound.function() instanceof Or;
        List<Range> rowIds = or ? Collections.emptyList() : null;
        for (Predicate child : compound.children()) {
            List<Range> ofChild = child.visit(this).orElse(null);
            if (or && ofChild == null) {
                return Optional.empty();
            }
            if (or) {
                List<Range> both = new ArrayList<>(rowIds);
                both.addAll(ofChild);
                rowIds = Range.sortAndMergeOverlap(both, true);
            } else if (ofChild != null) {
                rowIds = rowIds == null ? ofChild : Range.and(rowIds, ofChild);
            }
        }
        return Optional.ofNullable(rowIds);
    }
}
