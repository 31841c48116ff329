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

package org.apache.paimon.blobfallback.tests.benchmark;

import java.util.concurrent.TimeUnit;
import org.apache.paimon.blobfallback.tests.bridge.PaimonScanner;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** How long does it take to read a table that is planned? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class ReadBenchmark {

    /** Who reads. */
    @Param({"PAIMON_2", "PLUGIN"})
    public Contestant contestant;

    /** What is read: the name of a scenario. */
    @Param("large-1-layer")
    public String scenario;

    /** Rows of the scenario are divided by it. */
    @Param("1")
    public int divisor;

    /** How long it is read before it counts. */
    @Param("0")
    public int warmUpMillis;

    private Reader reader;

    /** Plans the read and warms up: as long for everyone, so that each is compiled as well. */
    @Setup
    public void open() throws Exception {
        reader = new Reader(contestant, Scenarios.named(scenario, divisor));
        WarmUp.repeat(warmUpMillis, reader::read);
    }

    /** Reads all of it. */
    @Benchmark
    public PaimonScanner.Scan read() throws Exception {
        return reader.read();
    }

    /** Closes what was opened. */
    @TearDown
    public void close() throws Exception {
        reader.close();
    }
}
