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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** How long does a partial update of few rows of a group take, from the plan to the commit? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class UpdateBenchmark {

    /** Who writes. */
    @Param({"PAIMON_2", "PLUGIN"})
    public Contestant contestant;

    /** Rows of the group. */
    @Param("1000000")
    public int rows;

    /** Rows that an update touches. */
    @Param("100")
    public int touched;

    /** How long updates are made before they count. */
    @Param("0")
    public int warmUpMillis;

    private Updater updater;

    /** Copies the table and warms up. */
    @Setup
    public void open() throws Exception {
        updater = new Updater(contestant, TableShape.ofOneLayer(rows), touched);
        WarmUp.repeat(
                warmUpMillis,
                () -> {
                    updater.update();
                    return null;
                });
    }

    /** One update. */
    @Benchmark
    public void update() throws Exception {
        updater.update();
    }

    /** Deletes the copy. */
    @TearDown
    public void close() throws Exception {
        updater.close();
    }
}
