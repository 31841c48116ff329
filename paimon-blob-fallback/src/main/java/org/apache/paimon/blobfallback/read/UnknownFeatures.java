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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.paimon.factories.FactoryException;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.io.DataFilePathFactory;
import org.apache.paimon.types.DataField;

/**
 * Detects features of Paimon 2.0 that this host does not support, so that a read names them instead
 * of failing later or returning raw metadata as data.
 */
final class UnknownFeatures {

    private static final String AVRO = "avro";

    private final ReadContext context;
    private final Map<String, Boolean> knownFormats = new HashMap<>();

    UnknownFeatures(ReadContext context) {
        this.context = context;
    }

    /**
     * Checks a blob view column before it is resolved.
     *
     * @param files that hold it
     * @throws UnsupportedOperationException if it must not or cannot be resolved
     */
    void checkView(DataField column, List<DataFileMeta> files) {
        if (!context.resolvesViews()) {
            throw new UnsupportedOperationException(
                    String.format(
                            "Column %s of table %s is a blob view ('%s') and '%s' is false: only"
                                    + " Paimon 2.0 hands out views themselves. Leave the column out,"
                                    + " or let the views be resolved.",
                            column.name(),
                            context.tableName(),
                            ReadContext.BLOB_VIEW_FIELD,
                            ReadContext.BLOB_VIEW_RESOLVE));
        }
        for (DataFileMeta file : files) {
            if (DataFilePathFactory.formatIdentifier(file.fileName()).equals(AVRO)) {
                throw new UnsupportedOperationException(
                        String.format(
                                "Column %s of table %s is a blob view ('%s') in the Avro file %s,"
                                        + " where Paimon 1.4 cannot read it. Leave the column out,"
                                        + " or read it with Paimon 2.0.",
                                column.name(),
                                context.tableName(),
                                ReadContext.BLOB_VIEW_FIELD,
                                file.fileName()));
            }
        }
    }

    /**
     * Checks the files before the host reads them.
     *
     * @throws UnsupportedOperationException if one has a format that the host does not support
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
