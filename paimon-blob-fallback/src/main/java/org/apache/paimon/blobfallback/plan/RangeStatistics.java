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
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.host.ComparedTypes;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.predicate.AlwaysFalse;
import org.apache.paimon.predicate.CompoundPredicate;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.predicate.IsNotNull;
import org.apache.paimon.predicate.IsNull;
import org.apache.paimon.predicate.LeafFunction;
import org.apache.paimon.predicate.LeafPredicate;
import org.apache.paimon.predicate.Or;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.stats.SimpleStats;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.utils.InternalRowUtils;

/**
 * What statistics prove about the rows of one range of normal files. The newest file with a column
 * has its values, so only its statistics are used, and only if they have the type that the filter
 * compares. A column that no file holds proves nothing.
 */
final class RangeStatistics implements PredicateVisitor<Boolean> {

    private final TableSchema schema;
    private final LongFunction<TableSchema> schemas;
    private final List<DataFileMeta> newestFirst;

    /**
     * @param schema of the columns in filters
     * @param schemas that files were written with, by id
     * @param files normal files that all hold the same rows
     */
    RangeStatistics(
            TableSchema schema, LongFunction<TableSchema> schemas, List<DataFileMeta> files) {
        this.schema = schema;
        this.schemas = schemas;
        this.newestFirst = new ArrayList<>(files);
        newestFirst.sort(Comparator.comparingLong(DataFileMeta::maxSequenceNumber).reversed());
    }

    /** Whether a row may pass a filter; false only if it is proven that none does. */
    boolean mayPass(Predicate filter) {
        return filter.visit(this);
    }

    @Override
    public Boolean visit(CompoundPredicate compound) {
        boolean or = compound.function() instanceof Or;
        for (Predicate child : compound.children()) {
            if (child.visit(this) == or) {
                return or;
            }
        }
        return !or;
    }

    @Override
    public Boolean visit(LeafPredicate leaf) {
        FieldRef column = leaf.fieldRefOptional().orElse(null);
        if (column == null) {
            return !(leaf.function() instanceof AlwaysFalse);
        }
        DataField field =
                schema.fields().stream()
                        .filter(candidate -> candidate.name().equals(column.name()))
                        .findFirst()
                        .orElse(null);
        if (field == null) {
            return true;
        }
        for (DataFileMeta file : newestFirst) {
            DataField written = written(file, field.id());
            if (written != null) {
                return mayPass(leaf, column.type(), file, written);
            }
        }
        return true;
    }

    @Nullable
    private DataField written(DataFileMeta file, int fieldId) {
        for (DataField field : schemas.apply(file.schemaId()).fields()) {
            if (field.id() == fieldId) {
                return file.writeCols() == null || file.writeCols().contains(field.name())
                        ? field
                        : null;
            }
        }
        return null;
    }

    private boolean mayPass(
            LeafPredicate leaf, DataType type, DataFileMeta file, DataField written) {
        int position = position(file, written.name());
        if (position < 0 || !written.type().equalsIgnoreNullable(type)) {
            return true;
        }
        SimpleStats stats = file.valueStats();
        Long nullCount =
                stats.nullCounts().isNullAt(position) ? null : stats.nullCounts().getLong(position);
        LeafFunction function = leaf.function();
        if (function instanceof IsNull || function instanceof IsNotNull) {
            return function.test(type, file.rowCount(), null, null, nullCount, leaf.literals());
        }
        Object min = InternalRowUtils.get(stats.minValues(), position, type);
        Object max = InternalRowUtils.get(stats.maxValues(), position, type);
        boolean allNull = nullCount != null && nullCount == file.rowCount();
        if (!allNull && (min == null || max == null || !ComparedTypes.areOrderedAsInSql(type))) {
            return true;
        }
        return function.test(type, file.rowCount(), min, max, nullCount, leaf.literals());
    }

    /** The position of a column in the statistics of a file, or -1. */
    private int position(DataFileMeta file, String column) {
        List<String> columns = file.valueStatsCols();
        if (columns == null) {
            columns = file.writeCols();
        }
        if (columns == null) {
            columns = schemas.apply(file.schemaId()).fieldNames();
        }
        SimpleStats stats = file.valueStats();
        boolean complete =
                stats.minValues().getFieldCount() == columns.size()
                        && stats.maxValues().getFieldCount() == columns.size()
                        && stats.nullCounts().size() == columns.size();
        return complete ? columns.indexOf(column) : -1;
    }
}
