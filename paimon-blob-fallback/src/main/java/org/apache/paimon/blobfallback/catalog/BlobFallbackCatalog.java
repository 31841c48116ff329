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

package org.apache.paimon.blobfallback.catalog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.PagedList;
import org.apache.paimon.blobfallback.table.BlobFallbackTable;
import org.apache.paimon.blobfallback.table.TableDefaults;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogLoader;
import org.apache.paimon.catalog.CatalogUtils;
import org.apache.paimon.catalog.DelegateCatalog;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.consumer.ConsumerInfo;
import org.apache.paimon.factories.FactoryException;
import org.apache.paimon.function.Function;
import org.apache.paimon.partition.Partition;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.Table;

/**
 * A catalog of the host whose tables with data evolution know the placeholders of Paimon 2.0.
 *
 * <p>Tables, and the system tables on them, are handed out wrapped; everything else is done by the
 * delegate.
 */
@SuppressWarnings(
        "try") // The host's close() may throw any exception, InterruptedException included.
public final class BlobFallbackCatalog extends DelegateCatalog {

    private final CatalogContext wrappedContext;
    private final Map<String, String> options;
    private final TableDefaults tableDefaults;

    /**
     * @param wrapped the delegate; closed with this one
     * @param wrappedContext of the delegate
     * @param options of this catalog, as the user gave them
     * @throws IllegalArgumentException if one of the plugin's has a value that it does not allow
     */
    public BlobFallbackCatalog(
            Catalog wrapped, CatalogContext wrappedContext, Map<String, String> options) {
        super(wrapped);
        this.wrappedContext = wrappedContext;
        this.options = Collections.unmodifiableMap(new HashMap<>(options));
        this.tableDefaults = TableDefaults.of(options);
    }

    @Override
    public Map<String, String> options() {
        return options;
    }

    @Override
    public CatalogLoader catalogLoader() {
        return new BlobFallbackCatalogLoader(wrapped.catalogLoader(), wrappedContext, options);
    }

    @Override
    public Table getTable(Identifier identifier) throws TableNotExistException {
        if (CatalogUtils.isSystemDatabase(identifier.getDatabaseName())) {
            // About this catalog: its options, and the tables that it hands out.
            return CatalogUtils.loadTable(
                    this, identifier, null, null, null, null, null, wrappedContext, false);
        }
        if (!identifier.isSystemTable()) {
            return wrap(load(identifier));
        }
        Table origin = getTable(BlobSystemTables.origin(identifier));
        if (!(origin instanceof FileStoreTable)) {
            return wrapped.getTable(identifier);
        }
        Table table = BlobSystemTables.load(identifier, origin, catalogLoader());
        if (table == null) {
            throw new TableNotExistException(identifier);
        }
        return table;
    }

    private Table load(Identifier identifier) throws TableNotExistException {
        try {
            return wrapped.getTable(identifier);
        } catch (IllegalArgumentException | FactoryException e) {
            return RefusedTables.load(wrapped, wrappedContext, identifier, e);
        }
    }

    @Override
    public Table getTableById(String tableId) throws TableIdNotExistException {
        return wrap(wrapped.getTableById(tableId));
    }

    @Override
    public List<Table> listTableDetails(String databaseName) throws DatabaseNotExistException {
        return wrap(wrapped.listTableDetails(databaseName));
    }

    @Override
    public PagedList<Table> listTableDetailsPaged(
            String databaseName,
            Integer maxResults,
            String pageToken,
            String tableNamePattern,
            String tableType)
            throws DatabaseNotExistException {
        PagedList<Table> page =
                wrapped.listTableDetailsPaged(
                        databaseName, maxResults, pageToken, tableNamePattern, tableType);
        return new PagedList<>(wrap(page.getElements()), page.getNextPageToken());
    }

    @Override
    public List<Partition> listPartitions(Identifier identifier) throws TableNotExistException {
        return counted(identifier, wrapped.listPartitions(identifier));
    }

    @Override
    public PagedList<Partition> listPartitionsPaged(
            Identifier identifier,
            Integer maxResults,
            String pageToken,
            String partitionNamePattern)
            throws TableNotExistException {
        PagedList<Partition> page =
                wrapped.listPartitionsPaged(
                        identifier, maxResults, pageToken, partitionNamePattern);
        return new PagedList<>(counted(identifier, page.getElements()), page.getNextPageToken());
    }

    @Override
    public List<Partition> listPartitionsByNames(
            Identifier identifier, List<Map<String, String>> partitions)
            throws TableNotExistException {
        return counted(identifier, wrapped.listPartitionsByNames(identifier, partitions));
    }

    /** The delegate counts a row once for each file that holds a part of it. */
    private List<Partition> counted(Identifier identifier, List<Partition> partitions)
            throws TableNotExistException {
        return partitions.isEmpty()
                ? partitions
                : PartitionRows.counted(getTable(identifier), partitions);
    }

    // The host's own delegating catalog leaves the following methods to the interface's defaults.

    @Override
    public void invalidateTable(Identifier identifier) {
        wrapped.invalidateTable(identifier);
    }

    @Override
    public PagedList<ConsumerInfo> listConsumersPaged(
            Identifier identifier, Integer maxResults, String pageToken)
            throws TableNotExistException {
        return wrapped.listConsumersPaged(identifier, maxResults, pageToken);
    }

    @Override
    public void resetConsumer(Identifier identifier, String consumerId, Long nextSnapshotId)
            throws TableNotExistException {
        wrapped.resetConsumer(identifier, consumerId, nextSnapshotId);
    }

    @Override
    public PagedList<String> listFunctionsPaged(
            String databaseName, Integer maxResults, String pageToken, String namePattern)
            throws DatabaseNotExistException {
        return wrapped.listFunctionsPaged(databaseName, maxResults, pageToken, namePattern);
    }

    @Override
    public PagedList<Identifier> listFunctionsPagedGlobally(
            String databaseNamePattern, String namePattern, Integer maxResults, String pageToken) {
        return wrapped.listFunctionsPagedGlobally(
                databaseNamePattern, namePattern, maxResults, pageToken);
    }

    @Override
    public PagedList<Function> listFunctionDetailsPaged(
            String databaseName, Integer maxResults, String pageToken, String namePattern)
            throws DatabaseNotExistException {
        return wrapped.listFunctionDetailsPaged(databaseName, maxResults, pageToken, namePattern);
    }

    private List<Table> wrap(List<Table> tables) {
        List<Table> result = new ArrayList<>(tables.size());
        for (Table table : tables) {
            result.add(wrap(table));
        }
        return result;
    }

    private Table wrap(Table table) {
        return table instanceof FileStoreTable
                ? BlobFallbackTable.wrap((FileStoreTable) table, tableDefaults)
                : table;
    }
}
