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

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.ReadRequest;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** Who reads. */
public enum Contestant {
    /** Paimon 2.0 as it is. */
    PAIMON_2 {
        @Override
        PaimonRuntime start() throws IOException {
            return Runtimes.paimon2();
        }

        @Override
        Map<String, String> catalogOptions(String warehouse) {
            return Map.of("warehouse", warehouse);
        }

        @Override
        ReadRequest request(ReadRequest request) {
            return request;
        }
    },
    /** Paimon's master, where it lies beside the project. */
    PAIMON_MASTER {
        @Override
        PaimonRuntime start() throws IOException {
            return Runtimes.paimonMaster()
                    .orElseThrow(() -> new IllegalStateException("Paimon's master is missing."));
        }

        @Override
        Map<String, String> catalogOptions(String warehouse) {
            return Map.of("warehouse", warehouse);
        }

        @Override
        ReadRequest request(ReadRequest request) {
            return request;
        }
    },
    /** The host with the plugin. */
    PLUGIN {
        @Override
        PaimonRuntime start() throws IOException {
            return Runtimes.hostBehindPlugin();
        }

        @Override
        Map<String, String> catalogOptions(String warehouse) {
            return Map.of("warehouse", warehouse, "metastore", "blob-fallback");
        }

        @Override
        ReadRequest request(ReadRequest request) {
            return request.with("blob-fallback.enabled", "true");
        }
    };

    /** Those that can be started here. Prints a line if one cannot. */
    static Set<Contestant> present() throws IOException {
        Set<Contestant> present = EnumSet.allOf(Contestant.class);
        Optional<PaimonRuntime> master = Runtimes.paimonMaster();
        if (master.isPresent()) {
            master.get().close();
        } else {
            present.remove(PAIMON_MASTER);
        }
        return present;
    }

    /** Its Paimon in a class loader of its own; closed by the caller. */
    abstract PaimonRuntime start() throws IOException;

    /** Options of its catalog. */
    abstract Map<String, String> catalogOptions(String warehouse);

    /** The request with the options that it needs. */
    abstract ReadRequest request(ReadRequest request);
}
