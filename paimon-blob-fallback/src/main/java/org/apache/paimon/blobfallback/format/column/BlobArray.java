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

package org.apache.paimon.blobfallback.format.column;

import java.util.Arrays;
import org.apache.paimon.blobfallback.format.io.LongBlob;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Blob;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.data.InternalMap;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.data.InternalVector;
import org.apache.paimon.data.Timestamp;
import org.apache.paimon.data.variant.Variant;

/**
 * An array of blobs that also returns each blob as bytes: engines treat blobs as bytes, and convert
 * a blob that is a column, but not one in an array.
 */
final class BlobArray implements InternalArray {

    private final Object[] blobs;
    private final boolean asDescriptor;
    private final boolean hasLongBlobs;

    /**
     * @param blobs may hold nulls; the array is not copied
     * @param asDescriptor whether a blob's bytes are those of its descriptor
     */
    BlobArray(Object[] blobs, boolean asDescriptor) {
        this.blobs = blobs;
        this.asDescriptor = asDescriptor;
        boolean found = false;
        for (Object blob : blobs) {
            found |= blob instanceof LongBlob;
        }
        this.hasLongBlobs = found;
    }

    /**
     * The blobs that follow each other in a payload.
     *
     * @param start of the first one in the payload
     * @param lengths in bytes, or that of a null; must have been checked
     */
    static BlobArray of(Payload payload, long start, long[] lengths, boolean asDescriptor) {
        Object[] blobs = new Object[lengths.length];
        long position = start;
        for (int i = 0; i < lengths.length; i++) {
            if (lengths[i] != CollectionLayout.NULL_LENGTH) {
                blobs[i] = payload.blob(position, lengths[i]);
                position += lengths[i];
            }
        }
        return new BlobArray(blobs, asDescriptor);
    }

    /** Tells the long blobs the place of the array, for their messages. */
    void locate(String column, long rowId) {
        if (hasLongBlobs) {
            for (Object blob : blobs) {
                BlobValues.locate(blob, column, rowId);
            }
        }
    }

    Object blobOrNull(int position) {
        return blobs[position];
    }

    @Override
    public int size() {
        return blobs.length;
    }

    @Override
    public boolean isNullAt(int position) {
        return blobs[position] == null;
    }

    @Override
    public Blob getBlob(int position) {
        return (Blob) blobs[position];
    }

    /** The blob's bytes or, if blobs are wanted as descriptors, those of its descriptor. */
    @Override
    public byte[] getBinary(int position) {
        Blob blob = getBlob(position);
        return asDescriptor ? blob.toDescriptor().serialize() : blob.toData();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlobArray && Arrays.equals(blobs, ((BlobArray) other).blobs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(blobs);
    }

    // The elements are blobs, so no other type can be asked for.

    @Override
    public boolean getBoolean(int position) {
        throw blobsOnly();
    }

    @Override
    public byte getByte(int position) {
        throw blobsOnly();
    }

    @Override
    public short getShort(int position) {
        throw blobsOnly();
    }

    @Override
    public int getInt(int position) {
        throw blobsOnly();
    }

    @Override
    public long getLong(int position) {
        throw blobsOnly();
    }

    @Override
    public float getFloat(int position) {
        throw blobsOnly();
    }

    @Override
    public double getDouble(int position) {
        throw blobsOnly();
    }

    @Override
    public BinaryString getString(int position) {
        throw blobsOnly();
    }

    @Override
    public Decimal getDecimal(int position, int precision, int scale) {
        throw blobsOnly();
    }

    @Override
    public Timestamp getTimestamp(int position, int precision) {
        throw blobsOnly();
    }

    @Override
    public Variant getVariant(int position) {
        throw blobsOnly();
    }

    @Override
    public InternalArray getArray(int position) {
        throw blobsOnly();
    }

    @Override
    public InternalVector getVector(int position) {
        throw blobsOnly();
    }

    @Override
    public InternalMap getMap(int position) {
        throw blobsOnly();
    }

    @Override
    public InternalRow getRow(int position, int fieldCount) {
        throw blobsOnly();
    }

    @Override
    public boolean[] toBooleanArray() {
        throw blobsOnly();
    }

    @Override
    public byte[] toByteArray() {
        throw blobsOnly();
    }

    @Override
    public short[] toShortArray() {
        throw blobsOnly();
    }

    @Override
    public int[] toIntArray() {
        throw blobsOnly();
    }

    @Override
    public long[] toLongArray() {
        throw blobsOnly();
    }

    @Override
    public float[] toFloatArray() {
        throw blobsOnly();
    }

    @Override
    public double[] toDoubleArray() {
        throw blobsOnly();
    }

    private static UnsupportedOperationException blobsOnly() {
        return new UnsupportedOperationException("An array of blobs holds blobs only.");
    }
}
