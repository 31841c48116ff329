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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.paimon.blobfallback.format.io.BlobReadMetrics;
import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.apache.paimon.blobfallback.testtable.BlobLayer;
import org.apache.paimon.blobfallback.testtable.LayeredTable;
import org.apache.paimon.data.InternalRow;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.metrics.Gauge;
import org.apache.paimon.metrics.Metric;
import org.apache.paimon.metrics.MetricGroup;
import org.apache.paimon.metrics.MetricGroupImpl;
import org.apache.paimon.metrics.MetricRegistry;
import org.apache.paimon.reader.RecordReader;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.source.ReadBuilder;
import org.apache.paimon.utils.Range;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cost of a read is in the host's metric registry. */
class ReadMetricsTest {

    private static final int LONG = 100_000;

    @TempDir private Path folder;

    private final CountingFileIO fileIO = CountingFileIO.sequential();
    private final List<MetricGroup> groups = new ArrayList<>();

    /** Keeps the groups that are made. */
    private final MetricRegistry registry =
            (name, variables) -> {
                MetricGroup group = new MetricGroupImpl(name, variables);
                groups.add(group);
                return group;
            };

    private LayeredTable layered;

    @BeforeEach
    void writeTwoLayers() throws Exception {
        String old = "o".repeat(LONG);
        layered = LayeredTable.create(fileIO, folder);
        layered.appendWithoutBlobs(0, 3);
        layered.layer("pic").file(0, old, old, old, old).commit();
        layered.layer("pic").file(0, "new", "new", BlobLayer.PLACEHOLDER, "new").commit();
        fileIO.reset();
    }

    private Map<String, Long> read(Table table, String column) throws Exception {
        return read(table, column, null);
    }

    private Map<String, Long> read(Table table, String column, @Nullable List<Range> rowRanges)
            throws Exception {
        ReadBuilder builder =
                table.newReadBuilder()
                        .withReadType(table.rowType().project(column))
                        .withRowRanges(rowRanges);
        try (RecordReader<InternalRow> reader =
                builder.newRead()
                        .withMetricRegistry(registry)
                        .createReader(builder.newScan().plan())) {
            reader.forEachRemaining(row -> {});
        }
        MetricGroup group = groups.get(groups.size() - 1);
        assertThat(group.getGroupName()).isEqualTo("blobFallback");
        assertThat(group.getAllVariables()).containsEntry("table", table.fullName());
        Map<String, Long> values = new TreeMap<>();
        for (Map.Entry<String, Metric> metric : group.getMetrics().entrySet()) {
            values.put(metric.getKey(), (Long) ((Gauge<?>) metric.getValue()).getValue());
        }
        return values;
    }

    @Test
    void filesRequestsAndBytesAreThoseOfTheFileSystem() throws Exception {
        Map<String, Long> metrics = read(layered.table(), "pic");

        long index = metrics.get(BlobReadMetrics.INDEX_BYTES);
        long payload = metrics.get(BlobReadMetrics.PAYLOAD_BYTES);
        long size = layered.blobFiles("pic").stream().mapToLong(DataFileMeta::fileSize).sum();
        assertThat(index + payload).isEqualTo(fileIO.bytesRead(".blob"));
        assertThat(index).isBetween(2 * 9L, 100L);
        assertThat(payload).isBetween((long) LONG, LONG + 200L);
        assertThat(metrics.get(BlobReadMetrics.AVOIDED_BYTES))
                .isEqualTo(size - index - payload)
                .isGreaterThan(3L * LONG);
        assertThat(metrics.get(BlobReadMetrics.FILES_OPENED))
                .isEqualTo(fileIO.openedFiles(".blob").size())
                .isEqualTo(2);
        assertThat(metrics.get(BlobReadMetrics.REQUESTS)).isBetween(4L, 6L);
        fileIO.assertNothingOpen();
    }

    /** What is avoided is what is not read of the files, for whatever reason. */
    @ParameterizedTest
    @CsvSource({"all rows, false", "all rows, true", "one row, false", "one row, true"})
    void whatIsReadAndWhatIsAvoidedAddUpToTheFiles(String rows, boolean descriptors)
            throws Exception {
        Table table =
                layered.table().copy(Map.of("blob-as-descriptor", Boolean.toString(descriptors)));
        Map<String, Long> metrics =
                read(table, "pic", rows.equals("one row") ? List.of(new Range(2, 2)) : null);

        long size = layered.blobFiles("pic").stream().mapToLong(DataFileMeta::fileSize).sum();
        assertThat(
                        metrics.get(BlobReadMetrics.INDEX_BYTES)
                                + metrics.get(BlobReadMetrics.PAYLOAD_BYTES)
                                + metrics.get(BlobReadMetrics.AVOIDED_BYTES))
                .isEqualTo(size);
        assertThat(metrics.get(BlobReadMetrics.AVOIDED_BYTES))
                .isGreaterThan(descriptors ? 4L * LONG : 3L * LONG);
    }

    /** R16 */
    @Test
    void aReadWithoutBlobColumnsCostsNothingInBlobFiles() throws Exception {
        assertThat(read(layered.table(), "id").values()).containsOnly(0L);
    }
}
