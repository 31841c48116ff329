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

package org.apache.paimon.blobfallback.format;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the number of streams of local blob files that one reader keeps open between reads: those
 * of the file that was not read for the longest time are closed first. A file that is closed opens
 * again when it is read. Those of object stores are bounded by {@link IdleStoreStreams}.
 */
public final class OpenBlobFiles {

    /** A process may have thousands of local files open, and at the very least 1024. */
    private static final int MOST_STREAMS = 128;

    private static final Logger LOG = LoggerFactory.getLogger(OpenBlobFiles.class);

    private final Set<BlobFileInput> files = new LinkedHashSet<>();
    private boolean remote;

    /** Notes that a file was read. */
    public synchronized void touch(BlobFileInput file) {
        remote = !file.isLocal();
        if (remote) {
            return;
        }
        files.remove(file);
        files.add(file);
        int streams = 0;
        for (BlobFileInput open : files) {
            streams += open.idleStreams();
        }
        Iterator<BlobFileInput> iterator = files.iterator();
        while (streams > MOST_STREAMS && iterator.hasNext()) {
            BlobFileInput oldest = iterator.next();
            streams -= oldest.idleStreams();
            iterator.remove();
            try {
                oldest.releaseStreams();
            } catch (IOException e) {
                // Not a matter of the file that was read, nor of what was read of this one.
                LOG.warn("A stream of {} does not close.", oldest.path(), e);
            }
        }
    }

    /** Whether a request to the file that was read last takes its time, see there. */
    public synchronized boolean areRemote() {
        return remote;
    }
}
