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

package org.apache.paimon.blobfallback.plan.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.data.BinaryRow;
import org.apache.paimon.globalindex.GlobalIndexResult;
import org.apache.paimon.globalindex.GlobalIndexScanner;
import org.apache.paimon.index.IndexFileMeta;
import org.apache.paimon.index.IndexPathFactory;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.manifest.IndexManifestEntry;
import org.apache.paimon.partition.PartitionPredicate;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.predicate.NotBetween;
import org.apache.paimon.predicate.Predicate;
import org.apache.paimon.predicate.PredicateBuilder;
import org.apache.paimon.predicate.PredicateReplaceVisitor;
import org.apache.paimon.predicate.PredicateVisitor;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.source.DataSplit;
import org.apache.paimon.table.source.ScanMode;
import org.apache.paimon.table.source.Split;
import org.apache.paimon.table.source.snapshot.TimeTravelUtil;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/**
 * Searches a table's global indexes for the rows that a filter may pass (R20).
 *
 * <p>An index has the values that its column had when it was built. Rows are filtered one by one if
 * the column was rewritten or its type has changed, since it is unknown whether the index was built
 * before or after that. So are rows that no index contains, unless the search mode is fast.
 */
public final class GlobalIndexSearch {

    private final FileStoreTable table;
    @Nullable private final PartitionPredicate partitions;
    private final Predicate filter;
    private final List<DataField> columns = new ArrayList<>();
    private final Map<Long, TableSchema> schemas = new HashMap<>();

    /**
     * @param table to search
     * @param partitions to search; null for all
     * @param filter on columns of the table
     */
    public GlobalIndexSearch(
            FileStoreTable table, @Nullable PartitionPredicate partitions, Predicate filter) {
        this.table = table;
        this.partitions = partitions;
        this.filter = filter;
        Set<String> names = PredicateVisitor.collectFieldNames(filter);
        for (DataField field : table.rowType().getFields()) {
            if (names.contains(field.name())) {
                columns.add(field);
            }
        }
    }

    /**
     * Row ids to read, ascending; empty if all rows must be read because the indexes do not help.
     *
     * @param snapshot to search in
     * @throws IllegalArgumentException if an option of the search mode has an unknown value
     */
    public Optional<List<Range>> rowIds(Snapshot snapshot) {
        CoreOptions options = table.coreOptions();
        if (!options.globalIndexEnabled()
                || options.startupMode() == CoreOptions.StartupMode.INCREMENTAL) {
            return Optional.empty();
        }
        List<IndexManifestEntry> indexes = indexes(snapshot);
        if (indexes.isEmpty() || !areUnderstood(indexes)) {
            return Optional.empty();
        }
        // Other conditions have no index: in an AND they are skipped, and in an OR no index helps.
        columns.removeIf(column -> indexes.stream().noneMatch(index -> isOn(index, column)));
        List<Range> rowIds = new ArrayList<>();
        boolean all = true;
        boolean indexedOnly =
                SearchMode.of("scalar-index", options.toConfiguration()) == SearchMode.FAST;
        for (Split split : splits(snapshot)) {
            BinaryRow partition = ((DataSplit) split).partition();
            List<IndexManifestEntry> ofPartition =
                    indexes.stream()
                            .filter(index -> index.partition().equals(partition))
                            .collect(Collectors.toList());
            for (Group<DataFileMeta> group : Group.ofFiles(((DataSplit) split).dataFiles())) {
                List<Range> unknown = unknownRows(group, ofPartition, indexedOnly);
                all &= unknown.equals(Collections.singletonList(group.range()));
                rowIds.addAll(unknown);
            }
        }
        List<Range> found = all ? null : search(indexes);
        if (found == null) {
            return Optional.empty();
        }
        rowIds.addAll(found);
        return Optional.of(Range.sortAndMergeOverlap(rowIds, true));
    }

    /** Whether the host correctly reads all indexes on columns of the filter. */
    boolean isUnderstood() {
        return areUnderstood(indexes(TimeTravelUtil.tryTravelOrLatest(table)));
    }

    /** Whether the indexes on columns of the filter have the current values of all their rows. */
    boolean isCurrent() {
        Snapshot snapshot = TimeTravelUtil.tryTravelOrLatest(table);
        List<IndexManifestEntry> indexes = indexes(snapshot);
        if (indexes.isEmpty()) {
            return true;
        }
        for (Split split : splits(snapshot)) {
            for (Group<DataFileMeta> group : Group.ofFiles(((DataSplit) split).dataFiles())) {
                for (DataField column : columns) {
                    if (!indexedRows(group, column, indexes).isEmpty()
                            && !isWrittenOnce(column, group.normalFiles())) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private List<IndexManifestEntry> indexes(@Nullable Snapshot snapshot) {
        return table.store().newIndexFileHandler().scan(snapshot, this::mayHelp);
    }

    private boolean mayHelp(IndexManifestEntry entry) {
        return (partitions == null || partitions.test(entry.partition()))
                && entry.indexFile().globalIndexMeta() != null
                && columns.stream().anyMatch(column -> isOn(entry, column));
    }

    private static boolean isOn(IndexManifestEntry index, DataField column) {
        return index.indexFile().globalIndexMeta().indexFieldId() == column.id();
    }

    private boolean areUnderstood(List<IndexManifestEntry> indexes) {
        GlobalIndexFiles files = new GlobalIndexFiles(table.fullName(), table.fileIO());
        IndexPathFactory paths = table.store().pathFactory().globalIndexFileFactory();
        for (IndexManifestEntry index : indexes) {
            for (DataField column : columns) {
                if (isOn(index, column)
                        && !files.isUnderstood(
                                paths.toPath(index.indexFile()), index.indexFile(), column)) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<Split> splits(Snapshot snapshot) {
        return table.newSnapshotReader()
                .withPartitionFilter(partitions)
                .withMode(ScanMode.ALL)
                .withSnapshot(snapshot)
                .read()
                .splits();
    }

    /** Rows of a group that the indexes of its partition do not contain. */
    private List<Range> unknownRows(
            Group<DataFileMeta> group, List<IndexManifestEntry> indexes, boolean indexedOnly) {
        List<Range> unknown = new ArrayList<>();
        for (DataField column : columns) {
            List<Range> indexed = indexedRows(group, column, indexes);
            if (!indexed.isEmpty() && !isWrittenOnce(column, group.normalFiles())) {
                unknown.add(group.range());
            } else if (!indexedOnly) {
                unknown.addAll(group.range().exclude(Range.sortAndMergeOverlap(indexed, true)));
            }
        }
        return Range.sortAndMergeOverlap(unknown, true);
    }

    private static List<Range> indexedRows(
            Group<DataFileMeta> group, DataField column, List<IndexManifestEntry> indexes) {
        return indexes.stream()
                .filter(index -> isOn(index, column))
                .map(index -> index.indexFile().globalIndexMeta().rowRange())
                .filter(range -> range.hasIntersection(group.range()))
                .collect(Collectors.toList());
    }

    /** Whether each row of a column was written once, in the column's current type. */
    private boolean isWrittenOnce(DataField column, List<DataFileMeta> normalFiles) {
        int written = 0;
        for (DataFileMeta file : normalFiles) {
            for (DataField field : schema(file.schemaId()).project(file.writeCols()).fields()) {
                if (field.id() == column.id()) {
                    written++;
                    if (!hadOneTypeSince(column, file.schemaId())) {
                        return false;
                    }
                }
            }
        }
        return written == 1;
    }

    private boolean hadOneTypeSince(DataField column, long schemaId) {
        for (long id = schemaId; id < table.schema().id(); id++) {
            DataType type =
                    schema(id).fields().stream()
                            .filter(field -> field.id() == column.id())
                            .map(DataField::type)
                            .findFirst()
                            .orElse(column.type());
            if (!type.equalsIgnoreNullable(column.type())) {
                return false;
            }
        }
        return true;
    }

    private TableSchema schema(long id) {
        return schemas.computeIfAbsent(id, table.schemaManager()::schema);
    }

    /** The filter without what the host's indexes fail on: NOT BETWEEN is less or greater. */
    static Predicate asIndexesKnow(RowType type, Predicate filter) {
        PredicateBuilder builder = new PredicateBuilder(type);
        PredicateReplaceVisitor visitor =
                leaf -> {
                    FieldRef field = leaf.fieldRefOptional().orElse(null);
                    if (field == null || !(leaf.function() instanceof NotBetween)) {
                        return Optional.of(leaf);
                    }
                    int column = type.getFieldIndex(field.name());
                    return Optional.of(
                            PredicateBuilder.or(
                                    builder.lessThan(column, leaf.literals().get(0)),
                                    builder.greaterThan(column, leaf.literals().get(1))));
                };
        return filter.visit(visitor).orElse(filter);
    }

    /** The rows that the indexes find, or null if they cannot evaluate the filter. */
    @Nullable
    private List<Range> search(List<IndexManifestEntry> indexes) {
        List<IndexFileMeta> files =
                indexes.stream().map(IndexManifestEntry::indexFile).collect(Collectors.toList());
        try (GlobalIndexScanner scanner = GlobalIndexScanner.create(table, files).get()) {
            return scanner.scan(asIndexesKnow(table.rowType(), filter))
                    .map(GlobalIndexResult::results)
                    .map(rows -> rows.toRangeList())
                    .orElse(null);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Failed to search the global index of table " + table.fullName(), e);
        }
    }
}
