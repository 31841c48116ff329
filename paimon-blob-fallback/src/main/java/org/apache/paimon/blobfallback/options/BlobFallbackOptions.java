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

package org.apache.paimon.blobfallback.options;

import static org.apache.paimon.options.ConfigOptions.key;

import java.util.Arrays;
import java.util.List;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.options.Options;

/** Every option of the plugin. */
public final class BlobFallbackOptions {

    /** Prefix of the keys of all options for users. */
    public static final String PREFIX = "blob-fallback.";

    /** Identifier of the plugin's catalog, the value of the catalog option {@code metastore}. */
    public static final String METASTORE_IDENTIFIER = "blob-fallback";

    public static final ConfigOption<String> METASTORE =
            key("blob-fallback.metastore")
                    .stringType()
                    .defaultValue("filesystem")
                    .withDescription(
                            "Catalog option: the metastore of the delegate, the catalog that the"
                                    + " plugin's catalog delegates to. The delegate gets all other"
                                    + " options of the catalog.");

    public static final ConfigOption<Boolean> ENABLED =
            key("blob-fallback.enabled")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Whether a row's blob is taken from the newest layer that holds one, as"
                                    + " Paimon 2.0 does. When false, a read that meets a"
                                    + " placeholder fails.");

    public static final ConfigOption<Boolean> VERIFY_CHECKSUM =
            key("blob-fallback.verify-checksum")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Whether the CRC32 of an entry is checked before its bytes are handed"
                                    + " out. Costs one pass over the bytes. Descriptors are handed"
                                    + " out unchecked, since their bytes are not read.");

    /** Maximum of {@code blob-fallback.read.parallelism}. */
    private static final int MAX_PARALLELISM = 32;

    private static final String UP_TO_AN_ARRAY = " to " + Integer.MAX_VALUE + " bytes.";

    public static final ConfigOption<MemorySize> READ_COALESCE_GAP =
            key("blob-fallback.read.coalesce-gap")
                    .memoryType()
                    .defaultValue(MemorySize.ofKibiBytes(32))
                    .withDescription(
                            "Two blobs of one file that are at most this far apart are read"
                                    + " with one request, together with the bytes between them."
                                    + " A larger gap means fewer requests and more bytes. The default"
                                    + " suits a local disk. On an object store, where a request takes"
                                    + " as long as reading a megabyte or two, a larger gap helps if"
                                    + " blobs are small or most of them are read. With 0 no"
                                    + " unnecessary byte is read. From 0"
                                    + UP_TO_AN_ARRAY);

    public static final ConfigOption<MemorySize> READ_BUFFER_SIZE =
            key("blob-fallback.read.buffer-size")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(16))
                    .withDescription(
                            "The maximum number of bytes that one blob column reads ahead of the"
                                    + " current row; half of it if the next rows are fetched in the"
                                    + " background. A blob larger than this is read alone, into its own"
                                    + " array. A local disk uses at most a mebibyte of it; an object"
                                    + " store is faster with more bytes under way. From 1"
                                    + UP_TO_AN_ARRAY);

    public static final ConfigOption<Integer> READ_PARALLELISM =
            key("blob-fallback.read.parallelism")
                    .intType()
                    .defaultValue(8)
                    .withDescription(
                            "The maximum number of requests of one blob column at a time, each in"
                                    + " its own thread and on its own stream. The next rows are then"
                                    + " fetched in the background. The threads start when they are"
                                    + " first needed and end with the reader. With 1 there are no"
                                    + " threads, and each request is waited for; a local disk, which"
                                    + " has no latency to hide, is always read so. From 1 to "
                                    + MAX_PARALLELISM
                                    + ".");

    public static final ConfigOption<MemorySize> READER_INDEX_CACHE =
            key("blob-fallback.reader.index-cache.max-memory")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(128))
                    .withDescription(
                            "The maximum memory for indexes of blob files in a reader of single rows, for all its callers together. An index takes up to two bytes for each row, and almost nothing if blobs have equal lengths or most rows are placeholders. An index that is not kept is read again for each call. With 0 none is kept.");

    /** Internal: the blob format hands out the placeholder itself instead of failing on it. */
    public static final ConfigOption<Boolean> EMIT_PLACEHOLDER_SENTINEL =
            key("blob.internal.emit-placeholder-sentinel")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Internal: the reader of the blob format hands out the placeholder"
                                    + " value for a placeholder entry instead of failing.");

    /** Internal: the blob format takes the sentinel bytes for a placeholder when it writes. */
    public static final ConfigOption<Boolean> WRITE_PLACEHOLDER =
            key("blob.internal.write-placeholder")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Internal: the writer of the blob format writes a placeholder entry for"
                                    + " a blob whose bytes are those of the placeholder value.");

    /** Internal: the plugin's catalog has put its cache of tables in the place of the host's. */
    public static final ConfigOption<Boolean> CACHE_TAKEN_OVER =
            key("blob-fallback.internal.cache-taken-over")
                    .booleanType()
                    .noDefaultValue()
                    .withDescription(
                            "Internal: the plugin's catalog sets it, together with 'cache-enabled' ="
                                    + " 'false', where it caches tables itself in the place of the"
                                    + " host, whose cache would hide the plugin's system tables.");

    private BlobFallbackOptions() {}

    /** The options of tables. In the options of a catalog they are defaults for its tables. */
    public static List<ConfigOption<?>> ofTables() {
        return Arrays.asList(
                ENABLED,
                VERIFY_CHECKSUM,
                READ_COALESCE_GAP,
                READ_BUFFER_SIZE,
                READ_PARALLELISM,
                READER_INDEX_CACHE);
    }

    /**
     * How many requests one column may have under way.
     *
     * @throws IllegalArgumentException if the value is out of the option's range
     */
    public static int readParallelism(Options options) {
        int parallelism = options.get(READ_PARALLELISM);
        if (parallelism < 1 || parallelism > MAX_PARALLELISM) {
            throw new IllegalArgumentException(
                    String.format(
                            "Option '%s' is %s, expected 1 to %s.",
                            READ_PARALLELISM.key(), parallelism, MAX_PARALLELISM));
        }
        return parallelism;
    }

    /**
     * A size that is used as an array length.
     *
     * @param min minimum in bytes
     * @throws IllegalArgumentException if the value is less, or more than an array holds
     */
    public static int bytes(Options options, ConfigOption<MemorySize> option, int min) {
        long bytes = options.get(option).getBytes();
        if (bytes < min || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    String.format(
                            "Option '%s' is %s bytes, expected %s to %s.",
                            option.key(), bytes, min, Integer.MAX_VALUE));
        }
        return (int) bytes;
    }
}
