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

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.paimon.factories.FactoryException;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;

/**
 * Tells apart what Paimon 2.0 has added that this host cannot know, so that a read says so instead
 * of failing in the middle or handing out raw metadata as data.
 */
final class UnknownFeatures {

    /** Paimon 2.0's option that names the columns that point to blobs of other tables. */
    private static final String BLOB_VIEW_FIELD = "blob-view-field";

    private final ReadContext context;
    private final Set<String> viewColumns;
    private final Map<String, Boolean> knownFormats = new HashMap<>();

    UnknownFeatures(ReadContext context) {
        this.context = context;
        String columns = context.schema().options().get(BLOB_VIEW_FIELD);
        this.viewColumns = new HashSet<>();
        if (columns != null) {
            Arrays.stream(columns.split(",")).map(String::trim).forEach(viewColumns::add);
        }
    }

    /**
     * Checks the columns that are read.
     *
     * @throws UnsupportedOperationException if one is a blob view
     */
    void check(RowType readType) {
        for (DataField field : readType.getFields()) {
            if (viewColumns.contains(field.name())) {
                throw new UnsupportedOperationException(
                        String.format(
                                "Column %s of table %s is a blob view ('%s'), a feature of Paimon"
                                        + " 2.0: its blobs are in another table. Leave the column"
                                        + " out, or read it with Paimon 2.0.",
                                field.name(), context.tableName(), BLOB_VIEW_FIELD));
            }
        }
    }

    /**
     * Checks the files that the host is to read.
     *
     * @throws UnsupportedOperationException if one is in a format that the host does not have
     */
    void check(List<DataFileMeta> files) {
        for (DataFileMeta file : files) {
            String format = DataFilePathFactory.formatIdentifier(file.fileName());
            if (!knownFormats.computeIfAbsent(format, this::isKnown)) {
                throw new UnsupportedOperationException(
                        String.format(
                                "Data file %s of table %s is in the format '%s', which this Paimon"
                                        + " does not have. Paimon 2.0 has added 'row', 'mosaic' and"
                                        + " 'vortex'; read the table with it.",
                                file.fileName(), context.tableName(), format));
            }
        }
    }

    private boolean isKnown(String format) {
        try {
            FileFormat.fromIdentifier(format, context.options().toConfiguration());
            return true;
        } catch (FactoryException e) {
            return false;
        }
    }
}
