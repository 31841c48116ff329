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

package org.apache.paimon.blobfallback.tests.differential;

import java.io.IOException;
import java.util.Optional;
import org.apache.paimon.blobfallback.tests.bridge.PaimonRuntime;
import org.apache.paimon.blobfallback.tests.bridge.Runtimes;

/** The Paimons that many tests use. Loading one takes seconds, so they stay until the JVM ends. */
final class SharedRuntimes {

    private static PaimonRuntime paimon2;
    private static Optional<PaimonRuntime> paimonMaster;
    private static PaimonRuntime paimon2BehindPlugin;
    private static PaimonRuntime paimon2BeforePlugin;
    private static PaimonRuntime hostBehindPlugin;
    private static PaimonRuntime hostBeforePlugin;

    private SharedRuntimes() {}

    static synchronized PaimonRuntime paimon2() throws IOException {
        if (paimon2 == null) {
            paimon2 = Runtimes.paimon2();
        }
        return paimon2;
    }

    /** Paimon's master, empty where its jars are not there. */
    static synchronized Optional<PaimonRuntime> paimonMaster() throws IOException {
        if (paimonMaster == null) {
            paimonMaster = Runtimes.paimonMaster();
        }
        return paimonMaster;
    }

    static synchronized PaimonRuntime paimon2BehindPlugin() throws IOException {
        if (paimon2BehindPlugin == null) {
            paimon2BehindPlugin = Runtimes.paimon2BehindPlugin();
        }
        return paimon2BehindPlugin;
    }

    static synchronized PaimonRuntime paimon2BeforePlugin() throws IOException {
        if (paimon2BeforePlugin == null) {
            paimon2BeforePlugin = Runtimes.paimon2BeforePlugin();
        }
        return paimon2BeforePlugin;
    }

    static synchronized PaimonRuntime hostBehindPlugin() throws IOException {
        if (hostBehindPlugin == null) {
            hostBehindPlugin = Runtimes.hostBehindPlugin();
        }
        return hostBehindPlugin;
    }

    static synchronized PaimonRuntime hostBeforePlugin() throws IOException {
        if (hostBeforePlugin == null) {
            hostBeforePlugin = Runtimes.hostBeforePlugin();
        }
        return hostBeforePlugin;
    }
}
