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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.paimon.catalog.TableQueryAuthResult;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.table.source.QueryAuthSplit;
import org.apache.paimon.table.source.Split;

/**
 * A split with columns that are masked after they are read. A caller's filter applies to the masks,
 * so it must not be evaluated on the values in files for those columns.
 */
public final class MaskedSplit implements Split {

    private static final long serialVersionUID = 1L;

    private final Split split;
    private final TableQueryAuthResult rules;

    private MaskedSplit(Split split, TableQueryAuthResult rules) {
        this.split = split;
        this.rules = rules;
    }

    /** The split to read; it differs from the given one only if columns are masked. */
    public static Split of(Split split) {
        if (!(split instanceof QueryAuthSplit)) {
            return split;
        }
        TableQueryAuthResult rules = ((QueryAuthSplit) split).authResult();
        return maskedColumns(rules).isEmpty()
                ? split
                : new QueryAuthSplit(
                        new MaskedSplit(((QueryAuthSplit) split).split(), rules), rules);
    }

    /**
     * The part of a filter that is not on masked columns.
     *
     * @param filter null for none
     * @param rules of the query; null for none
     * @return null if nothing is left
     */
    @Nullable
    public static Predicate withoutMasked(
            @Nullable Predicate filter, @Nullable TableQueryAuthResult rules) {
        Set<String> masked = maskedColumns(rules);
        if (filter == null || masked.isEmpty()) {
            return filter;
        }
        List<Predicate> left = new ArrayList<>();
        for (Predicate conjunct : PredicateBuilder.splitAnd(filter)) {
            if (Collections.disjoint(PredicateVisitor.collectFieldNames(conjunct), masked)) {
                left.add(conjunct);
            }
        }
        return left.isEmpty() ? null : PredicateBuilder.and(left);
    }

    private static Set<String> maskedColumns(@Nullable TableQueryAuthResult rules) {
        Map<String, String> masks = rules == null ? null : rules.columnMasking();
        return masks == null ? Collections.emptySet() : masks.keySet();
    }

    /** The split without the masks. */
    Split split() {
        return split;
    }

    @Nullable
    Predicate withoutMasked(@Nullable Predicate filter) {
        return withoutMasked(filter, rules);
    }

    @Override
    public long rowCount() {
        return split.rowCount();
    }

    @Override
    public OptionalLong mergedRowCount() {
        return split.mergedRowCount();
    }
}
