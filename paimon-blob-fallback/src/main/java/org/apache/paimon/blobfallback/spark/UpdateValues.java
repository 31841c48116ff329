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

package org.apache.paimon.blobfallback.spark;

import java.io.Serializable;
import java.sql.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.engine.BlobsOfBytes;
import org.apache.paimon.blobfallback.format.column.MapKey;
import org.apache.paimon.blobfallback.update.BlobUpdate;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.GenericArray;
import org.apache.paimon.data.GenericMap;
import org.apache.paimon.types.MapType;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The values of one column of an update. Bytes of a blob may be those of a descriptor. */
abstract class UpdateValues implements Serializable {

    private static final long serialVersionUID = 1L;

    /**
     * The values of a column in blob files.
     *
     * @param type BLOB, ARRAY&lt;BLOB&gt; or MAP&lt;K, BLOB&gt;
     */
    static UpdateValues of(org.apache.paimon.types.DataType type) {
        switch (type.getTypeRoot()) {
            case ARRAY:
                return new Arrays();
            case MAP:
                return new Maps(MapKey.of(((MapType) type).getKeyType()));
            default:
                return new Scalars();
        }
    }

    /** Whether a column of the source can be set. */
    abstract boolean accepts(DataType source);

    /** What {@link #accepts} expects, in words. */
    abstract String expected();

    /**
     * Sets a row's value, which is not null.
     *
     * @return how many bytes the value takes in memory
     */
    abstract long set(Cell cell, Row row, int position);

    /** A row and a column of an update. */
    static final class Cell {

        private final BlobUpdate update;
        private final long rowId;
        private final String column;
        private final BlobsOfBytes blobs;

        /**
         * @param blobs makes the values
         */
        Cell(BlobUpdate update, long rowId, String column, BlobsOfBytes blobs) {
            this.update = update;
            this.rowId = rowId;
            this.column = column;
            this.blobs = blobs;
        }
    }

    private static boolean isBytes(DataType type) {
        return type.equals(DataTypes.BinaryType);
    }

    private static final class Scalars extends UpdateValues {

        private static final long serialVersionUID = 1L;

        @Override
        boolean accepts(DataType source) {
            return isBytes(source);
        }

        @Override
        String expected() {
            return "bytes";
        }

        @Override
        long set(Cell cell, Row row, int position) {
            byte[] bytes = row.getAs(position);
            cell.update.set(cell.rowId, cell.column, cell.blobs.blob(bytes));
            return bytes.length;
        }
    }

    private static final class Arrays extends UpdateValues {

        private static final long serialVersionUID = 1L;

        @Override
        boolean accepts(DataType source) {
            return source instanceof ArrayType && isBytes(((ArrayType) source).elementType());
        }

        @Override
        String expected() {
            return "an array of bytes";
        }

        @Override
        long set(Cell cell, Row row, int position) {
            List<byte[]> elements = row.getList(position);
            byte[][] bytes = elements.toArray(new byte[0][]);
            cell.update.set(cell.rowId, cell.column, new GenericArray(cell.blobs.blobs(bytes)));
            return BlobsOfBytes.length(bytes);
        }
    }

    private static final class Maps extends UpdateValues {

        private static final long serialVersionUID = 1L;

        private final MapKey mapKey;

        private Maps(MapKey mapKey) {
            this.mapKey = mapKey;
        }

        @Override
        boolean accepts(DataType source) {
            return source instanceof org.apache.spark.sql.types.MapType
                    && ((org.apache.spark.sql.types.MapType) source)
                            .keyType()
                            .equals(NormalTypes.spark(mapKey.type()))
                    && isBytes(((org.apache.spark.sql.types.MapType) source).valueType());
        }

        @Override
        String expected() {
            return "a map of " + mapKey.type() + " to bytes";
        }

        @Override
        long set(Cell cell, Row row, int position) {
            Map<Object, byte[]> given = row.getJavaMap(position);
            Map<Object, Blob> map = new LinkedHashMap<>();
            long length = 0;
            for (Map.Entry<Object, byte[]> entry : given.entrySet()) {
                byte[] bytes = entry.getValue();
                map.put(key(entry.getKey()), cell.blobs.blob(bytes));
                length += bytes == null ? 0 : bytes.length;
            }
            cell.update.set(cell.rowId, cell.column, new GenericMap(map));
            return length;
        }

        @Nullable
        private Object key(@Nullable Object key) {
            if (key == null) {
                return null;
            }
            return mapKey.fromJava(key instanceof Date ? ((Date) key).toLocalDate() : key);
        }
    }
}
