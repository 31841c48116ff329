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

package org.apache.paimon.blobfallback.table;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.paimon.AppendOnlyFileStore;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.FileStore;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.format.io.BlobReadOptions;
import org.apache.paimon.blobfallback.format.io.BlobReadTable;
import org.apache.paimon.blobfallback.host.CatalogEnvironments;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.blobfallback.plan.FallbackBatchScan;
import org.apache.paimon.blobfallback.plan.FallbackFileStore;
import org.apache.paimon.blobfallback.plan.FallbackSnapshotReader;
import org.apache.paimon.blobfallback.plan.FallbackStreamScan;
import org.apache.paimon.blobfallback.plan.index.NearestRows;
import org.apache.paimon.blobfallback.read.FallbackSplitRead;
import org.apache.paimon.blobfallback.read.GuardedSplitRead;
import org.apache.paimon.blobfallback.read.ReadContext;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.fs.Path;
import org.apache.paimon.operation.AppendOnlyFileStoreScan;
import org.apache.paimon.operation.SplitRead;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.shade.caffeine2.com.github.benmanes.caffeine.cache.Cache;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.DelegatedFileStoreTable;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.TableWriteImpl;
import org.apache.paimon.table.source.AppendTableRead;
import org.apache.paimon.table.source.DataTableScan;
import org.apache.paimon.table.source.FullTextSearchBuilder;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.StreamDataTableScan;
import org.apache.paimon.table.source.VectorSearchBuilder;
import org.apache.paimon.table.source.snapshot.SnapshotReader;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.DVMetaCache;
import org.apache.paimon.utils.SegmentsCache;

/**
 * A data-evolution table of the host whose reads know placeholders.
 *
 * <p>Everything except planning and reading is the host's. Whether the fallback is on follows from
 * the table's options, so a copy with other options decides again; without such an option, the
 * default of the catalog applies. Every copy of the table, and every branch that it switches to, is
 * such a table again.
 */
public final class BlobFallbackTable extends DelegatedFileStoreTable implements BlobReadTable {

    private static final long serialVersionUID = 1L;

    private final TableDefaults defaults;

    /** Null for that of the delegate. */
    @Nullable private CatalogLoader catalog;

    /** Null unless a system table reads this table. */
    @Nullable private PlannedSchema planned;

    @Nullable private transient FallbackFileStore lazyStore;
    @Nullable private transient SegmentsCache<Path> manifestCache;
    @Nullable private transient Cache<Path, Snapshot> snapshotCache;
    @Nullable private transient DVMetaCache deletionVectorCache;

    private BlobFallbackTable(FileStoreTable wrapped, TableDefaults defaults) {
        super(wrapped);
        this.defaults = defaults;
    }

    /**
     * Wraps a table.
     *
     * @param table of the host
     * @param defaults of the plugin's options that the table does not set
     * @return the table itself if it is wrapped already, or if there is nothing to do: it has a
     *     primary key or no data evolution
     */
    public static FileStoreTable wrap(FileStoreTable table, TableDefaults defaults) {
        if (table instanceof BlobFallbackTable || table instanceof BranchPairTable) {
            return table;
        }
        if (table.getClass() == FallbackReadFileStoreTable.class) {
            return wrapBoth((FallbackReadFileStoreTable) table, defaults);
        }
        return needsFallback(table) ? new BlobFallbackTable(table, defaults) : table;
    }

    /**
     * The table that a system table reads. When it is copied with options for time travel, it keeps
     * the row type that has been asked for before.
     */
    public static FileStoreTable underSystemTable(FileStoreTable table) {
        if (table instanceof BranchPairTable) {
            return ((BranchPairTable) table).underSystemTable();
        }
        if (!(table instanceof BlobFallbackTable)) {
            return table;
        }
        BlobFallbackTable origin = (BlobFallbackTable) table;
        BlobFallbackTable copy = new BlobFallbackTable(origin.wrapped, origin.defaults);
        origin.handCachesTo(copy);
        copy.planned = new PlannedSchema();
        return copy;
    }

    /**
     * The table that a system table reads which asks its catalog: the plugin's catalog, not the
     * delegate.
     *
     * @param catalog that the table is of
     */
    public static FileStoreTable ofCatalog(FileStoreTable table, CatalogLoader catalog) {
        FileStoreTable copy = underSystemTable(table);
        if (copy instanceof BlobFallbackTable) {
            ((BlobFallbackTable) copy).catalog = catalog;
        } else if (copy instanceof BranchPairTable) {
            ((BranchPairTable) copy).setCatalog(catalog);
        }
        return copy;
    }

    private static FileStoreTable wrapBoth(
            FallbackReadFileStoreTable table, TableDefaults defaults) {
        FileStoreTable main = wrap(table.wrapped(), defaults);
        FileStoreTable other = wrap(table.other(), defaults);
        return main instanceof BlobFallbackTable || other instanceof BlobFallbackTable
                ? new BranchPairTable(main, other, defaults)
                : table;
    }

    /**
     * The columns do not matter: a table without blobs may have had some in an older snapshot, or
     * get some later and be copied with its newest schema. Data evolution cannot be switched on or
     * off.
     */
    private static boolean needsFallback(FileStoreTable table) {
        return table.primaryKeys().isEmpty() && table.coreOptions().dataEvolutionEnabled();
    }

    /** Whether reads fall back to older layers. */
    public boolean isEnabled() {
        return defaults.enabled(wrapped);
    }

    @Override
    public BlobReadOptions blobReadOptions() {
        return defaults.readOptions(wrapped);
    }

    /**
     * A read of the table.
     *
     * @throws UnsupportedOperationException if the table has deletion vectors and the fallback is
     *     off: the host would return deleted rows
     * @throws IllegalArgumentException if an option of the plugin has a value that it does not
     *     allow
     */
    @Override
    public InnerTableRead newRead() {
        checkReadable();
        UnknownOptions.warn(
                "table " + fullName() + " at " + location(),
                schema().options(),
                BlobFallbackOptions.ofTables());
        // The wrapped table may refuse a read (privileges).
        wrapped.newRead();
        FallbackFileStore store = fallbackStore();
        Supplier<SplitRead<InternalRow>> host = store::newDataEvolutionRead;
        ReadContext context =
                new ReadContext(
                        fullName(),
                        fileIO(),
                        schemaManager(),
                        schema(),
                        store.options(),
                        blobReadOptions(),
                        store.pathFactory(),
                        new TableViewCatalog(fullName(), catalogEnvironment().catalogContext()));
        boolean enabled = isEnabled();
        InnerTableRead read =
                new AppendTableRead(
                        Collections.singletonList(
                                config ->
                                        new SingleSplitReadProvider(
                                                () ->
                                                        enabled
                                                                ? fallbackRead(context, host)
                                                                : new GuardedSplitRead(
                                                                        context, host),
                                                config)),
                        schema());
        return new MeteredTableRead(read, context.metrics(), fullName());
    }

    private SplitRead<InternalRow> fallbackRead(
            ReadContext context, Supplier<SplitRead<InternalRow>> host) {
        FirstUse.log(fullName(), location().toString());
        return new FallbackSplitRead(context, host);
    }

    private void checkReadable() {
        if (!isEnabled() && hasDeletionVectors()) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Table %s has both '%s' and '%s', which Paimon 1.4 does not know. Set"
                                    + " the table option '%s' = 'true' to read it.",
                            fullName(),
                            CoreOptions.DATA_EVOLUTION_ENABLED.key(),
                            CoreOptions.DELETION_VECTORS_ENABLED.key(),
                            BlobFallbackOptions.ENABLED.key()));
        }
    }

    /**
     * Engines count rows from a plan alone, so the plan must know deletions even where reads are
     * refused.
     */
    private boolean plans() {
        return isEnabled() || hasDeletionVectors();
    }

    private boolean hasDeletionVectors() {
        return wrapped.coreOptions().deletionVectorsEnabled();
    }

    @Override
    public SnapshotReader newSnapshotReader() {
        return plans() ? newFallbackReader() : wrapped.newSnapshotReader();
    }

    private FallbackSnapshotReader newFallbackReader() {
        FallbackFileStore store = fallbackStore();
        return new FallbackSnapshotReader(
                store.newScan(),
                schema(),
                store.options(),
                snapshotManager(),
                changelogManager(),
                wrapped.newSnapshotReader().splitGenerator(),
                (scan, predicate) -> ((AppendOnlyFileStoreScan) scan).withFilter(predicate),
                store.pathFactory(),
                name(),
                store.newIndexFileHandler(),
                deletionVectorCache);
    }

    @Override
    public DataTableScan newScan() {
        return plans() ? new FallbackBatchScan(this, newFallbackReader()) : wrapped.newScan();
    }

    /**
     * A search by vector.
     *
     * @throws UnsupportedOperationException if it would leave out rows that the search mode asks
     *     for
     */
    @Override
    public VectorSearchBuilder newVectorSearchBuilder() {
        return isEnabled() ? NearestRows.byVector(this) : super.newVectorSearchBuilder();
    }

    /**
     * A search by text.
     *
     * @throws UnsupportedOperationException if it would leave out rows that the search mode asks
     *     for
     */
    @Override
    public FullTextSearchBuilder newFullTextSearchBuilder() {
        return isEnabled() ? NearestRows.byText(this) : super.newFullTextSearchBuilder();
    }

    @Override
    public StreamDataTableScan newStreamScan() {
        return plans()
                ? new FallbackStreamScan(this, newFallbackReader())
                : wrapped.newStreamScan();
    }

    /** The host's store, which also refuses writes that would do harm, and to merge files. */
    @Override
    public FileStore<?> store() {
        return HostWrites.areSafe(schema())
                ? HostFileStore.of(wrapped, this::shareCaches)
                : fallbackStore();
    }

    @Override
    public TableWriteImpl<?> newWrite(String commitUser) {
        return newWrite(commitUser, null);
    }

    /**
     * A write of whole rows.
     *
     * @throws UnsupportedOperationException if the host must not write to the table: it has
     *     deletion vectors, or a column of arrays of blobs or maps to blobs
     */
    @Override
    public TableWriteImpl<?> newWrite(String commitUser, @Nullable Integer writeId) {
        HostWrites.check(fullName(), schema());
        return wrapped.newWrite(commitUser, writeId);
    }

    /**
     * Rolls back as the host does, but leaves no snapshot after the target where a fast forward has
     * moved the hint of the earliest one.
     *
     * @throws IllegalArgumentException if the snapshot does not exist, or if ones after it have
     *     expired
     */
    @Override
    public void rollbackTo(long snapshotId) {
        EarliestSnapshot.correctHint(snapshotManager());
        EarliestSnapshot.checkReachable(snapshotManager(), snapshotId, fullName());
        super.rollbackTo(snapshotId);
    }

    /** Rolls back to a tag, as {@link #rollbackTo(long)}. */
    @Override
    public void rollbackTo(String tagName) {
        EarliestSnapshot.correctHint(snapshotManager());
        super.rollbackTo(tagName);
    }

    /** Fast-forwards as the host does, but keeps the snapshots before those of the branch. */
    @Override
    public void fastForward(String branchName) {
        super.fastForward(branchName);
        EarliestSnapshot.correctHint(snapshotManager());
    }

    /** Code that gets another catalog from it only lists partitions and modifies nothing. */
    @Override
    public CatalogEnvironment catalogEnvironment() {
        return CatalogEnvironments.with(super.catalogEnvironment(), catalog);
    }

    @Override
    public RowType rowType() {
        if (planned != null) {
            planned.askFor();
        }
        return super.rowType();
    }

    @Override
    public FileStoreTable copy(Map<String, String> dynamicOptions) {
        return planned != null && planned.isAskedFor()
                ? copyWithoutTimeTravel(dynamicOptions)
                : copyBy(FileStoreTable::copy, dynamicOptions);
    }

    @Override
    public FileStoreTable copy(TableSchema newTableSchema) {
        return again(wrapped.copy(newTableSchema));
    }

    @Override
    public FileStoreTable copyWithoutTimeTravel(Map<String, String> dynamicOptions) {
        return copyBy(
                FileStoreTable::copyWithoutTimeTravel,
                PlannedSchema.withoutVersion(this, dynamicOptions));
    }

    @Override
    public FileStoreTable copyWithLatestSchema() {
        return copyBy((table, options) -> table.copyWithLatestSchema(), Collections.emptyMap());
    }

    @Override
    public FileStoreTable switchToBranch(String branchName) {
        DeletionVectorTables tables = new DeletionVectorTables(fileIO(), location());
        TableSchema schema = tables.schemaOf(branchName).filter(tables::areRefused).orElse(null);
        return again(
                schema == null
                        ? wrapped.switchToBranch(branchName)
                        : tables.create(schema, environmentOf(branchName)));
    }

    private CatalogEnvironment environmentOf(String branch) {
        Identifier identifier = Identifier.fromString(fullName());
        return catalogEnvironment()
                .copy(
                        new Identifier(
                                identifier.getDatabaseName(), identifier.getTableName(), branch));
    }

    private FileStoreTable copyBy(
            BiFunction<FileStoreTable, Map<String, String>, FileStoreTable> copy,
            Map<String, String> dynamicOptions) {
        return hasDeletionVectors()
                ? again(DeletionVectorCopies.copy(wrapped, copy, dynamicOptions))
                : again(copy.apply(wrapped, dynamicOptions));
    }

    private FileStoreTable again(FileStoreTable copied) {
        FileStoreTable table = wrap(copied, defaults);
        if (table instanceof BlobFallbackTable) {
            BlobFallbackTable fallback = (BlobFallbackTable) table;
            handCachesTo(fallback);
            fallback.catalog = catalog;
            fallback.planned = PlannedSchema.after(planned, schema(), table.schema());
        }
        return table;
    }

    private void handCachesTo(BlobFallbackTable copy) {
        copy.manifestCache = manifestCache;
        copy.snapshotCache = snapshotCache;
        copy.deletionVectorCache = deletionVectorCache;
    }

    @Override
    public void setManifestCache(SegmentsCache<Path> cache) {
        super.setManifestCache(cache);
        this.manifestCache = cache;
        this.lazyStore = null;
    }

    @Override
    public void setSnapshotCache(Cache<Path, Snapshot> cache) {
        super.setSnapshotCache(cache);
        this.snapshotCache = cache;
        this.lazyStore = null;
    }

    @Override
    public void setDVMetaCache(DVMetaCache cache) {
        super.setDVMetaCache(cache);
        this.deletionVectorCache = cache;
    }

    /** Whether the other is the same table of the host, under the same defaults. */
    @Override
    public boolean equals(Object other) {
        return super.equals(other) && defaults.equals(((BlobFallbackTable) other).defaults);
    }

    /**
     * Of what the host compares, since tables that it delegates to may have no hash code that
     * matches.
     */
    @Override
    public int hashCode() {
        return Objects.hash(location(), schema(), defaults);
    }

    private FallbackFileStore fallbackStore() {
        FallbackFileStore store = lazyStore;
        if (store == null) {
            store = new FallbackFileStore(wrapped, () -> HostWrites.check(fullName(), schema()));
            shareCaches(store);
            lazyStore = store;
        }
        return store;
    }

    private void shareCaches(AppendOnlyFileStore store) {
        if (manifestCache != null) {
            store.setManifestCache(manifestCache);
        }
        if (snapshotCache != null) {
            store.setSnapshotCache(snapshotCache);
        }
    }
}
