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

import static org.apache.paimon.utils.StreamUtils.intToLittleEndian;
import static org.apache.paimon.utils.StreamUtils.longToLittleEndian;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.data.Decimal;
import org.apache.paimon.data.InternalArray;
import org.apache.paimon.memory.BytesUtils;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypeFamily;
import org.apache.paimon.types.DecimalType;

/**
 * The keys of one type in a MAP&lt;K, BLOB&gt; column: how they are encoded and decoded in a
 * payload, and their class in Java and in the rows of an engine. A new type needs one more class
 * here.
 */
public abstract class MapKey implements Serializable {

    /** The types that {@link #of} knows, in words. */
    static final String KNOWN_TYPES =
            "BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, DECIMAL, DATE, TIME, CHAR, VARCHAR, BINARY"
                    + " and VARBINARY";

    static final int ANY_LENGTH = -1;

    private static final long serialVersionUID = 1L;

    private final DataType type;
    private final int length;
    private final Class<?> javaClass;

    private MapKey(DataType type, int length, Class<?> javaClass) {
        this.type = type;
        this.length = length;
        this.javaClass = javaClass;
    }

    /**
     * The keys of a type.
     *
     * @throws IllegalArgumentException if no blob file can hold keys of that type
     */
    public static MapKey of(DataType type) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return new BooleanKey(type);
            case TINYINT:
                return new ByteKey(type);
            case SMALLINT:
                return new ShortKey(type);
            case INTEGER:
                return new IntKey(type, Integer.class);
            case BIGINT:
                return new LongKey(type);
            case DECIMAL:
                return new DecimalKey((DecimalType) type);
            case DATE:
                return new DateKey(type);
            case TIME_WITHOUT_TIME_ZONE:
                return new TimeKey(type);
            case CHAR:
            case VARCHAR:
                return new StringKey(type);
            case BINARY:
            case VARBINARY:
                return new BytesKey(type);
            default:
                throw new IllegalArgumentException(
                        "A blob file holds maps with keys of the types "
                                + KNOWN_TYPES
                                + ", found "
                                + type);
        }
    }

    /** The type of the keys. */
    public final DataType type() {
        return type;
    }

    /** Length of each key in bytes, or {@link #ANY_LENGTH}. */
    final int length() {
        return length;
    }

    /** The class of a key outside of Paimon, from which engines derive a serializer. */
    public final Class<?> javaClass() {
        return javaClass;
    }

    /** Whether every value of another type is also a key of this type. */
    public boolean accepts(DataType source) {
        return source.is(type.getTypeRoot());
    }

    /**
     * Converts a key to Paimon's representation in memory.
     *
     * @param key of {@link #javaClass()}, not null
     */
    public Object fromJava(Object key) {
        return key;
    }

    /** The bytes of a key, which is not null. */
    abstract byte[] encode(InternalArray keys, int position);

    /**
     * Decodes a key.
     *
     * @param bytes hold the key
     * @param start of the key in them
     * @param count number of its bytes; {@link #length()} unless that is {@link #ANY_LENGTH}
     * @return null if no key has these bytes
     */
    @Nullable
    abstract Object decode(byte[] bytes, int start, int count);

    /** An object that is equal for equal keys. */
    Object identity(Object key) {
        return key;
    }

    /** One byte, 0 or 1. */
    private static final class BooleanKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private BooleanKey(DataType type) {
            super(type, Byte.BYTES, Boolean.class);
        }

        @Override
        byte[] encode(InternalArray keys, int position) {
            return new byte[] {(byte) (keys.getBoolean(position) ? 1 : 0)};
        }

        @Nullable
        @Override
        Object decode(byte[] bytes, int start, int count) {
            switch (bytes[start]) {
                case 0:
                    return false;
                case 1:
                    return true;
                default:
                    return null;
            }
        }
    }

    /** One byte. */
    private static final class ByteKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private ByteKey(DataType type) {
            super(type, Byte.BYTES, Byte.class);
        }

        @Override
        byte[] encode(InternalArray keys, int position) {
            return new byte[] {keys.getByte(position)};
        }

        @Override
        Object decode(byte[] bytes, int start, int count) {
            return bytes[start];
        }
    }

    /** Two bytes, little endian. */
    private static final class ShortKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private ShortKey(DataType type) {
            super(type, Short.BYTES, Short.class);
        }

        @Override
        byte[] encode(InternalArray keys, int position) {
            short key = keys.getShort(position);
            return new byte[] {(byte) key, (byte) (key >> Byte.SIZE)};
        }

        @Override
        Object decode(byte[] bytes, int start, int count) {
            return BytesUtils.getShort(bytes, start);
        }
    }

    /** Four bytes, little endian. */
    private static class IntKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private IntKey(DataType type, Class<?> javaClass) {
            super(type, Integer.BYTES, javaClass);
        }

        @Override
        final byte[] encode(InternalArray keys, int position) {
            return intToLittleEndian(keys.getInt(position));
        }

        @Override
        final Object decode(byte[] bytes, int start, int count) {
            return BytesUtils.getInt(bytes, start);
        }
    }

    /** The days since 1970-01-01, as an INT. */
    private static final class DateKey extends IntKey {

        private static final long serialVersionUID = 1L;

        private DateKey(DataType type) {
            super(type, LocalDate.class);
        }

        @Override
        public Object fromJava(Object key) {
            return (int) ((LocalDate) key).toEpochDay();
        }
    }

    /** The milliseconds of the day, as an INT. */
    private static final class TimeKey extends IntKey {

        private static final long serialVersionUID = 1L;

        private TimeKey(DataType type) {
            super(type, LocalTime.class);
        }

        @Override
        public Object fromJava(Object key) {
            return (int) (((LocalTime) key).toNanoOfDay() / 1_000_000);
        }
    }

    /** Eight bytes, little endian. */
    private static final class LongKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private LongKey(DataType type) {
            super(type, Long.BYTES, Long.class);
        }

        @Override
        byte[] encode(InternalArray keys, int position) {
            return longToLittleEndian(keys.getLong(position));
        }

        @Override
        Object decode(byte[] bytes, int start, int count) {
            return BytesUtils.getLong(bytes, start);
        }
    }

    /**
     * The unscaled value. Up to the precision that fits, it has eight bytes, little endian; above
     * that, the shortest two's complement, big endian.
     */
    private static final class DecimalKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private final int precision;
        private final int scale;

        private DecimalKey(DecimalType type) {
            super(
                    type,
                    Decimal.isCompact(type.getPrecision()) ? Long.BYTES : ANY_LENGTH,
                    BigDecimal.class);
            this.precision = type.getPrecision();
            this.scale = type.getScale();
        }

        @Override
        public boolean accepts(DataType source) {
            if (!(source instanceof DecimalType)) {
                return false;
            }
            DecimalType decimal = (DecimalType) source;
            return decimal.getScale() <= scale
                    && decimal.getPrecision() - decimal.getScale() <= precision - scale;
        }

        @Override
        public Object fromJava(Object key) {
            return Decimal.fromBigDecimal((BigDecimal) key, precision, scale);
        }

        @Override
        byte[] encode(InternalArray keys, int position) {
            Decimal given = keys.getDecimal(position, precision, scale);
            Decimal key = Decimal.fromBigDecimal(given.toBigDecimal(), precision, scale);
            if (key == null || key.compareTo(given) != 0) {
                throw new IllegalArgumentException(
                        "The key " + given + " of a map does not fit into " + type());
            }
            return Decimal.isCompact(precision)
                    ? longToLittleEndian(key.toUnscaledLong())
                    : key.toUnscaledBytes();
        }

        @Nullable
        @Override
        Object decode(byte[] bytes, int start, int count) {
            if (Decimal.isCompact(precision)) {
                long unscaled = BytesUtils.getLong(bytes, start);
                // The host accepts any long here, even one with too many digits for the precision.
                return Decimal.fromBigDecimal(
                        BigDecimal.valueOf(unscaled, scale), precision, scale);
            }
            return count == 0
                    ? null
                    : Decimal.fromUnscaledBytes(
                            Arrays.copyOfRange(bytes, start, start + count), precision, scale);
        }
    }

    /** The characters in UTF-8. */
    private static final class StringKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private StringKey(DataType type) {
            super(type, ANY_LENGTH, String.class);
        }

        @Override
        public boolean accepts(DataType source) {
            return source.is(DataTypeFamily.CHARACTER_STRING);
        }

        @Override
        public Object fromJava(Object key) {
            return BinaryString.fromString((String) key);
        }

        @Override
        byte[] encode(InternalArray keys, int position) {
            return keys.getString(position).toBytes();
        }

        @Override
        Object decode(byte[] bytes, int start, int count) {
            return BinaryString.fromBytes(bytes, start, count);
        }
    }

    /** The bytes themselves. */
    private static final class BytesKey extends MapKey {

        private static final long serialVersionUID = 1L;

        private BytesKey(DataType type) {
            super(type, ANY_LENGTH, byte[].class);
        }

        @Override
        public boolean accepts(DataType source) {
            return source.is(DataTypeFamily.BINARY_STRING);
        }

        @Override
        byte[] encode(InternalArray keys, int position) {
            return keys.getBinary(position);
        }

        @Override
        Object decode(byte[] bytes, int start, int count) {
            return Arrays.copyOfRange(bytes, start, start + count);
        }

        @Override
        Object identity(Object key) {
            return ByteBuffer.wrap((byte[]) key);
        }
    }
}
