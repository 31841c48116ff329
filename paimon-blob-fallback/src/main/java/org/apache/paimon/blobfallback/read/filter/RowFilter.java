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

package org.apache.paimon.blobfallback.read.filter;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.host.ComparedTypes;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.predicate.IsNotNull;
import org.apache.paimon.predicate.IsNull;
import org.apache.paimon.predicate.LeafPredicate;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateReplaceVisitor;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeRoot;
import org.apache.paimon.types.RowType;

/**
 * The part of a caller's filter that is evaluated before blobs are read: the conjuncts for which
 * the host certainly gets the same answer as the caller. The caller applies the whole filter again.
 */
public final class RowFilter {

    private final RowType readType;
    private final Predicate predicate;

    private RowFilter(RowType readType, Predicate predicate) {
        this.readType = readType;
        this.predicate = predicate;
    }

    /**
     * Extracts this part from a filter.
     *
     * @param filter null for none
     * @param schema of the table, whose columns the filter names
     * @param known columns whose newest files are all in the split
     * @return null if nothing can be extracted
     */
    @Nullable
    public static RowFilter of(
            @Nullable Predicate filter,
            TableSchema schema,
            java.util.function.Predicate<DataField> known) {
        RowType tableType = schema.logicalRowType();
        RowType readable =
                new RowType(
                        tableType.getFields().stream().filter(known).collect(Collectors.toList()));
        List<Predicate> usable = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (Predicate conjunct : PredicateBuilder.splitAnd(filter)) {
            // Filters on partitions have been applied by the plan.
            if (conjunct.visit(new Mapping(readable)).isPresent()
                    && !schema.partitionKeys()
                            .containsAll(PredicateVisitor.collectFieldNames(conjunct))) {
                usable.add(conjunct);
                names.addAll(PredicateVisitor.collectFieldNames(conjunct));
            }
        }
        if (names.isEmpty()) {
            return null;
        }
        // A column in no file of a group is null in its rows, even if the table declares it NOT
        // NULL.
        List<DataField> fields = new ArrayList<>();
        for (String name : names) {
            DataField field = tableType.getField(name);
            fields.add(field.newType(field.type().copy(true)));
        }
        RowType readType = new RowType(fields);
        Mapping mapping = new Mapping(readType);
        return new RowFilter(
                readType,
                PredicateBuilder.and(
                        usable.stream()
                                .map(conjunct -> conjunct.visit(mapping).get())
                                .collect(Collectors.toList())));
    }

    /** The columns that the filter is on. */
    public RowType readType() {
        return readType;
    }

    /** The filter, on rows of {@link #readType()}. */
    public Predicate predicate() {
        return predicate;
    }

    /** Maps each column of a predicate, by name, to its position in a row type. */
    private static final class Mapping implements PredicateReplaceVisitor {

        private final RowType rowType;

        private Mapping(RowType rowType) {
            this.rowType = rowType;
        }

        /** Empty if the host and an engine may get different answers. */
        @Override
        public Optional<Predicate> visit(LeafPredicate leaf) {
            FieldRef column = leaf.fieldRefOptional().orElse(null);
            if (column == null || !rowType.containsField(column.name())) {
                return Optional.empty();
            }
            DataField field = rowType.getField(column.name());
            boolean ofNull =
                    leaf.function() instanceof IsNull || leaf.function() instanceof IsNotNull;
            if (!ofNull
                    && !(field.type().equalsIgnoreNullable(column.type())
                            && isDecidable(field.type()))) {
                return Optional.empty();
            }
            return Optional.of(
                    new LeafPredicate(
                            leaf.function(),
                            field.type(),
                            rowType.getFieldIndex(field.name()),
                            field.name(),
                            leaf.literals()));
        }

        /** Whether the host's predicates evaluate values of this type correctly. */
        private static boolean isDecidable(DataType type) {
            return !BlobColumns.isBlobColumn(type)
                    && !type.is(DataTypeRoot.VECTOR)
                    && ComparedTypes.areOrderedAsInSql(type);
        }
    }
}
