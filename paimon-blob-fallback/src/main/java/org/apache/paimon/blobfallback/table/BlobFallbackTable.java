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
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.FileStore;
import org.apache.paimon.Snapshot;
import org.apache.paimon.blobfallback.BlobFallbackOptions;
import org.apache.paimon.blobfallback.format.BlobColumns;
import org.apache.paimon.blobfallback.format.BlobReadOptions;
import org.apache.paimon.blobfallback.format.BlobReadTable;
import org.apache.paimon.blobfallback.read.FallbackSplitRead;
import org.apache.paimon.blobfallback.read.GuardedSplitRead;
import org.apache.paimon.blobfallback.read.ReadContext;
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
import org.apache.paimon.table.source.DataTableBatchScan;
import org.apache.paimon.table.source.DataTableScan;
import org.apache.paimon.table.source.DataTableStreamScan;
import org.apache.paimon.table.source.InnerTableRead;
import org.apache.paimon.table.source.StreamDataTableScan;
import org.apache.paimon.table.source.snapshot.SnapshotReader;
import org.apache.paimon.types.DataField;
import org.apache.paimon.utils.DVMetaCache;
import org.apache.paimon.utils.SegmentsCache;

/**
 * A data-evolution table of the host whose reads know placeholders.
 *
 * <p>Everything but planning and reading is the host's. Whether the fallback is on is looked up in
 * the table's options, so each copy with other options decides anew; where the options say nothing
 * the default of the catalog holds. A copy of any kind, and a switch to a branch, is such a table
 * again.
 */
public final class BlobFallbackTable extends DelegatedFileStoreTable implements BlobReadTable {

    private static final long serialVersionUID = 1L;

    private final TableDefaults defaults;

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
     * @param defaults of the plugin's options, where the table's options do not say
     * @return the table itself if it is wrapped already, or if there is nothing to do: it has a
     *     primary key, no data evolution, or neither blob columns nor deletion vectors
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

    private static FileStoreTable wrapBoth(
            FallbackReadFileStoreTable table, TableDefaults defaults) {
        FileStoreTable main = wrap(table.wrapped(), defaults);
        FileStoreTable other = wrap(table.other(), defaults);
        return main instanceof BlobFallbackTable || other instanceof BlobFallbackTable
                ? new BranchPairTable(main, other, defaults)
                : table;
    }

    private static boolean needsFallback(FileStoreTable table) {
        if (!table.primaryKeys().isEmpty() || !table.coreOptions().dataEvolutionEnabled()) {
            return false;
        }
        if (table.coreOptions().deletionVectorsEnabled()) {
            return true;
        }
        for (DataField field : table.rowType().getFields()) {
            if (BlobColumns.isBlobColumn(field.type())) {
                return true;
            }
        }
        return false;
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
        // Where the table behind refuses a read (privileges), it refuses here.
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

    /** Engines count rows from a plan alone, so deletions count even where reading is refused. */
    private boolean plans() {
        return isEnabled() || hasDeletionVectors();
    }

    private boolean hasDeletionVectors() {
        return wrapped.coreOptions().deletionVectorsEnabled();
    }

    @Override
    public SnapshotReader newSnapshotReader() {
        SnapshotReader host = wrapped.newSnapshotReader();
        if (!plans()) {
            return host;
        }
        FallbackFileStore store = fallbackStore();
        return new FallbackSnapshotReader(
                store.newScan(),
                schema(),
                store.options(),
                snapshotManager(),
                changelogManager(),
                host.splitGenerator(),
                (scan, predicate) -> ((AppendOnlyFileStoreScan) scan).withFilter(predicate),
                store.pathFactory(),
                name(),
                store.newIndexFileHandler(),
                deletionVectorCache);
    }

    @Override
    public DataTableScan newScan() {
        if (!plans()) {
            return wrapped.newScan();
        }
        return new FallbackBatchScan(
                this,
                new DataTableBatchScan(
                        schema(),
                        schemaManager(),
                        coreOptions(),
                        newSnapshotReader(),
                        catalogEnvironment().tableQueryAuth(coreOptions())));
    }

    @Override
    public StreamDataTableScan newStreamScan() {
        if (!plans()) {
            return wrapped.newStreamScan();
        }
        return new DataTableStreamScan(
                schema(),
                coreOptions(),
                newSnapshotReader(),
                snapshotManager(),
                changelogManager(),
                supportStreamingReadOverwrite(),
                catalogEnvironment().tableQueryAuth(coreOptions()),
                false);
    }

    /** The host's store, which refuses to write where the host must not. */
    @Override
    public FileStore<?> store() {
        return HostWrites.areSafe(schema()) ? wrapped.store() : fallbackStore();
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

    @Override
    public FileStoreTable copy(Map<String, String> dynamicOptions) {
        return copyBy(FileStoreTable::copy, dynamicOptions);
    }

    @Override
    public FileStoreTable copy(TableSchema newTableSchema) {
        return again(wrapped.copy(newTableSchema));
    }

    @Override
    public FileStoreTable copyWithoutTimeTravel(Map<String, String> dynamicOptions) {
        return copyBy(FileStoreTable::copyWithoutTimeTravel, dynamicOptions);
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
            fallback.manifestCache = manifestCache;
            fallback.snapshotCache = snapshotCache;
            fallback.deletionVectorCache = deletionVectorCache;
        }
        return table;
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

    private FallbackFileStore fallbackStore() {
        FallbackFileStore store = lazyStore;
        if (store == null) {
            store = new FallbackFileStore(wrapped);
            if (manifestCache != null) {
                store.setManifestCache(manifestCache);
            }
            if (snapshotCache != null) {
                store.setSnapshotCache(snapshotCache);
            }
            lazyStore = store;
        }
        return store;
    }
}
