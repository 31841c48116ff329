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

package org.apache.paimon.blobfallback.read.view;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.paimon.catalog.Identifier;

/**
 * What Paimon 2.0 stores in a blob view column: a blob of another table.
 *
 * <pre>
 * version (1) "WEIVBOLB" (8: the text BLOBVIEW as a little-endian long)
 * name length (4, LE) name (UTF-8: database.table) field id (4, LE) row id (8, LE)
 * </pre>
 */
final class BlobViewReference {

    private static final byte VERSION = 1;
    private static final long MAGIC = 0x424C4F4256494557L;

    private final Identifier table;
    private final int fieldId;
    private final long rowId;

    private BlobViewReference(Identifier table, int fieldId, long rowId) {
        this.table = table;
        this.fieldId = fieldId;
        this.rowId = rowId;
    }

    /**
     * Reads a reference.
     *
     * @param bytes as stored
     * @param where names the column, for messages
     * @throws IOException if it is not a reference
     */
    static BlobViewReference parse(byte[] bytes, String where) throws IOException {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            byte version = buffer.get();
            long magic = buffer.getLong();
            if (version != VERSION || magic != MAGIC) {
                throw new IOException(
                        String.format(
                                "Expected a blob view of version %s and magic %x in %s, found"
                                        + " version %s and magic %x.",
                                VERSION, MAGIC, where, version, magic));
            }
            int nameLength = buffer.getInt();
            if (nameLength < 0 || nameLength > buffer.remaining()) {
                throw new IOException(
                        String.format(
                                "Expected a table name of at most %s bytes in the blob view in %s,"
                                        + " found the length %s.",
                                buffer.remaining(), where, nameLength));
            }
            byte[] name = new byte[nameLength];
            buffer.get(name);
            return new BlobViewReference(
                    Identifier.fromString(new String(name, StandardCharsets.UTF_8)),
                    buffer.getInt(),
                    buffer.getLong());
        } catch (BufferUnderflowException e) {
            throw new IOException(
                    String.format(
                            "The blob view in %s ends after %s bytes, in the middle.",
                            where, bytes.length),
                    e);
        } catch (IllegalArgumentException e) {
            throw new IOException("The blob view in " + where + " names no table.", e);
        }
    }

    /** The table that holds the blob. */
    Identifier table() {
        return table;
    }

    /** Field id of the blob's column there. */
    int fieldId() {
        return fieldId;
    }

    /** Row id of the blob there. */
    long rowId() {
        return rowId;
    }

    @Override
    public String toString() {
        return String.format(
                "table %s, field id %s, row id %s", table.getFullName(), fieldId, rowId);
    }
}
