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

package org.apache.paimon.blobfallback.testtable;

import org.apache.paimon.blobfallback.testio.CountingFileIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a table of the usual columns, none of which may leave a stream open. */
public abstract class OnLayeredTable {

    protected final CountingFileIO fileIO = CountingFileIO.vectored();

    @TempDir protected java.nio.file.Path folder;

    protected LayeredTable table;

    @BeforeEach
    protected final void createTable() throws Exception {
        table = LayeredTable.create(fileIO, folder);
    }

    @AfterEach
    protected final void everyStreamIsClosed() {
        fileIO.assertNothingOpen();
    }
}
