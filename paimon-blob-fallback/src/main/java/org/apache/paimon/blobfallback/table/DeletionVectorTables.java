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

import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.Path;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.SchemaManager;
import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.table.AppendOnlyFileStoreTable;
import org.apache.paimon.table.CatalogEnvironment;
import org.apache.paimon.table.FallbackReadFileStoreTable;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FileStoreTableFactory;
import org.apache.paimon.utils.StringUtils;

/**
 * Creates the tables that the host's own factory refuses because it validates their schema: tables
 * with deletion vectors and data evolution, and pairs of branches of which one has both.
 */
public final class DeletionVectorTables {

    private final FileIO fileIO;
    private final Path path;

    /**
     * @param fileIO opens the table's files
     * @param path the table's folder
     */
    public DeletionVectorTables(FileIO fileIO, Path path) {
        this.fileIO = fileIO;
        this.path = path;
    }

    /** Whether the host refuses a table or the other branch of its pair. */
    public boolean areRefused(TableSchema schema) {
        return hasBoth(schema) || otherSchema(schema).filter(this::hasBoth).isPresent();
    }

    private boolean hasBoth(TableSchema schema) {
        CoreOptions options = new CoreOptions(schema.options());
        return schema.primaryKeys().isEmpty()
                && options.dataEvolutionEnabled()
                && options.deletionVectorsEnabled();
    }

    /**
     * Creates a table as the host's factory does, paired with the branch that {@code
     * scan.fallback-branch} or {@code scan.primary-branch} names.
     *
     * @param schema of the table, with the branch among its options if it is not the main one
     */
    public FileStoreTable create(TableSchema schema, CatalogEnvironment environment) {
        FileStoreTable table = createAlone(schema, environment);
        TableSchema other = otherSchema(schema).orElse(null);
        if (other == null) {
            return table;
        }
        String branch = CoreOptions.branch(other.options());
        Identifier identifier = environment.identifier();
        CatalogEnvironment otherEnvironment =
                identifier == null
                        ? environment
                        : environment.copy(
                                new Identifier(
                                        identifier.getDatabaseName(),
                                        identifier.getTableName(),
                                        branch));
        return new FallbackReadFileStoreTable(
                table, createAlone(other, otherEnvironment), fallbackBranch(schema) != null);
    }

    /** Creates a table that is not paired with another branch, regardless of its options. */
    FileStoreTable createAlone(TableSchema schema, CatalogEnvironment environment) {
        return hasBoth(schema)
                ? new AppendOnlyFileStoreTable(fileIO, path, schema, environment)
                : FileStoreTableFactory.createWithoutFallbackBranch(
                        fileIO, path, schema, new Options(), environment);
    }

    /** The newest schema of a branch, with the branch among its options. */
    Optional<TableSchema> schemaOf(String branch) {
        return new SchemaManager(fileIO, path, branch)
                .latest()
                .map(
                        schema -> {
                            Options options = new Options(schema.options());
                            options.set(CoreOptions.BRANCH, branch);
                            options.set(CoreOptions.PATH, path.toString());
                            return schema.copy(options.toMap());
                        });
    }

    /** The schema of the other branch of a table's pair, if there is one. */
    private Optional<TableSchema> otherSchema(TableSchema schema) {
        String branch = fallbackBranch(schema);
        if (branch == null) {
            branch = branch(schema, CoreOptions.SCAN_PRIMARY_BRANCH.key());
        }
        return branch == null ? Optional.empty() : schemaOf(branch);
    }

    @Nullable
    private static String fallbackBranch(TableSchema schema) {
        return branch(schema, CoreOptions.SCAN_FALLBACK_BRANCH.key());
    }

    @Nullable
    private static String branch(TableSchema schema, String option) {
        String branch = schema.options().get(option);
        return StringUtils.isNullOrWhitespaceOnly(branch) ? null : branch;
    }
}
