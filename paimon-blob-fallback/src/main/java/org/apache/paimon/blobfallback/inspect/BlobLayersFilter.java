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

package org.apache.paimon.blobfallback.inspect;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.layers.PartitionNames;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.GenericRow;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateVisitor;

/** The filter of a read of {@link BlobLayersTable}, and what of it skips files. */
final class BlobLayersFilter implements Serializable {

    private static final long serialVersionUID = 1L;

    @Nullable private final Predicate predicate;
    private final List<Predicate> onPartition;
    private final List<Predicate> onColumn;

    /**
     * @param predicate over the columns of the table; null for all rows
     */
    BlobLayersFilter(@Nullable Predicate predicate) {
        this.predicate = predicate;
        this.onPartition = partsOn(predicate, BlobLayersTable.PARTITION);
        this.onColumn = partsOn(predicate, BlobLayersTable.COLUMN_NAME);
    }

    private static List<Predicate> partsOn(@Nullable Predicate predicate, String column) {
        if (predicate == null) {
            return Collections.emptyList();
        }
        List<Predicate> parts = new ArrayList<>();
        Set<String> only = Collections.singleton(column);
        for (Predicate part : PredicateBuilder.splitAnd(predicate)) {
            if (PredicateVisitor.collectFieldNames(part).equals(only)) {
                parts.add(part);
            }
        }
        return parts;
    }

    /** Whether files of a partition may pass. */
    boolean mayHavePartition(@Nullable String partition) {
        return test(onPartition, BlobLayersTable.PARTITION, partition);
    }

    /** Whether files of a column may pass. */
    boolean mayHaveColumn(@Nullable String column) {
        return test(onColumn, BlobLayersTable.COLUMN_NAME, column);
    }

    /** Whether a whole row passes. */
    boolean test(InternalRow row) {
        return predicate == null || predicate.test(row);
    }

    private static boolean test(List<Predicate> parts, String column, @Nullable String value) {
        GenericRow row = new GenericRow(BlobLayersTable.ROW_TYPE.getFieldCount());
        row.setField(
                BlobLayersTable.ROW_TYPE.getFieldIndex(column), BinaryString.fromString(value));
        for (Predicate part : parts) {
            if (!part.test(row)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The partitions that may pass, for the host's plan; null for all.
     *
     * @param names of the table's partitions
     */
    @Nullable
    PartitionPredicate partitions(PartitionNames names) {
        return onPartition.isEmpty() ? null : new OnPartition(this, names);
    }

    /** Tests the partition of each file in a manifest. */
    private static final class OnPartition implements PartitionPredicate {

        private static final long serialVersionUID = 1L;

        private final BlobLayersFilter filter;
        private final PartitionNames names;

        private OnPartition(BlobLayersFilter filter, PartitionNames names) {
            this.filter = filter;
            this.names = names;
        }

        @Override
        public boolean test(BinaryRow partition) {
            return filter.mayHavePartition(names.of(partition));
        }

        /**
         * A whole manifest: minimum and maximum of values say nothing about the names between them.
         */
        @Override
        public boolean test(
                long rowCount,
                InternalRow minValues,
                InternalRow maxValues,
                InternalArray nullCounts) {
            return true;
        }
    }
}
