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

package org.apache.paimon.blobfallback;

import static org.apache.paimon.options.ConfigOptions.key;

import java.util.Arrays;
import java.util.List;
import org.apache.paimon.options.ConfigOption;
import org.apache.paimon.options.MemorySize;
import org.apache.paimon.options.Options;

/** Every option of the plugin. */
public final class BlobFallbackOptions {

    /** What the key of each option begins with that a user may give. */
    public static final String PREFIX = "blob-fallback.";

    /** Identifier of the plugin's catalog, the value of the catalog option {@code metastore}. */
    public static final String METASTORE_IDENTIFIER = "blob-fallback";

    public static final ConfigOption<String> METASTORE =
            key("blob-fallback.metastore")
                    .stringType()
                    .defaultValue("filesystem")
                    .withDescription(
                            "Catalog option: the metastore that the plugin's catalog stands before. It"
                                    + " gets all the other options of the catalog.");

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

    /** Most requests at once that an option may ask for. */
    private static final int MOST_PARALLELISM = 32;

    private static final String UP_TO_AN_ARRAY = " to " + Integer.MAX_VALUE + " bytes.";

    public static final ConfigOption<MemorySize> READ_COALESCE_GAP =
            key("blob-fallback.read.coalesce-gap")
                    .memoryType()
                    .defaultValue(MemorySize.ofKibiBytes(32))
                    .withDescription(
                            "Two blobs of one file that lie no further apart than this are read"
                                    + " with one request, together with the bytes between them."
                                    + " More means fewer requests and more bytes. The default is"
                                    + " what a local disk reads in the time of a request; on an"
                                    + " object store, where a request takes as long as a megabyte"
                                    + " or two, more pays where blobs are small or most of them"
                                    + " are wanted. With 0 no byte is read that is not wanted. From"
                                    + " 0"
                                    + UP_TO_AN_ARRAY);

    public static final ConfigOption<MemorySize> READ_BUFFER_SIZE =
            key("blob-fallback.read.buffer-size")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(16))
                    .withDescription(
                            "The most bytes that one blob column reads ahead of the row that is"
                                    + " handed out; half of it where the next rows are fetched"
                                    + " while these are consumed. A blob larger than this is read"
                                    + " alone, into its own array. A local disk takes a mebibyte"
                                    + " of it at the most; an object store is the faster the more"
                                    + " bytes are under way. From 1"
                                    + UP_TO_AN_ARRAY);

    public static final ConfigOption<Integer> READ_PARALLELISM =
            key("blob-fallback.read.parallelism")
                    .intType()
                    .defaultValue(8)
                    .withDescription(
                            "The most requests that one blob column has under way at once, each in"
                                    + " a thread of its own, and each on a stream of its own; the"
                                    + " next rows are then fetched while these are consumed. The"
                                    + " threads start when they are first needed and end with the"
                                    + " reader. With 1 there are none: each request is waited for."
                                    + " A local disk, where there is no latency to hide, is always"
                                    + " read so. From 1 to "
                                    + MOST_PARALLELISM
                                    + ".");

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

    /** The options of tables. Among the options of a catalog they are defaults for its tables. */
    public static List<ConfigOption<?>> ofTables() {
        return Arrays.asList(
                ENABLED, VERIFY_CHECKSUM, READ_COALESCE_GAP, READ_BUFFER_SIZE, READ_PARALLELISM);
    }

    /**
     * How many requests one column may have under way.
     *
     * @throws IllegalArgumentException if the value is out of the option's range
     */
    public static int readParallelism(Options options) {
        int parallelism = options.get(READ_PARALLELISM);
        if (parallelism < 1 || parallelism > MOST_PARALLELISM) {
            throw new IllegalArgumentException(
                    String.format(
                            "Option '%s' is %d, expected 1 to %d.",
                            READ_PARALLELISM.key(), parallelism, MOST_PARALLELISM));
        }
        return parallelism;
    }

    /**
     * A size that is used as the length of an array.
     *
     * @param least smallest value in bytes that is allowed
     * @throws IllegalArgumentException if the value is less, or more than an array holds
     */
    public static int bytes(Options options, ConfigOption<MemorySize> option, int least) {
        long bytes = options.get(option).getBytes();
        if (bytes < least || bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    String.format(
                            "Option '%s' is %d bytes, expected %d to %d.",
                            option.key(), bytes, least, Integer.MAX_VALUE));
        }
        return (int) bytes;
    }
}
