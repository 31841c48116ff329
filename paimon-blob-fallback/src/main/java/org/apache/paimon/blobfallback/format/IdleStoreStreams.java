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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.paimon.fs.SeekableInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open streams of blob files on object stores that nobody reads at the moment, of all readers
 * of the process.
 *
 * <p>To open a stream costs a store a request for the size of the object, so those that were read
 * last are kept for the next read. But each holds a connection of a pool that all streams of the
 * process share: had each reader its own streams to keep, they would hold all connections, and
 * every request would wait for one that no request gives back. A stream that is being read waits
 * for no other.
 */
final class IdleStoreStreams {

    /**
     * Two for each request of a column that has eight under way; and a part even of a small pool,
     * in which the host's own files want to be read too.
     */
    private static final int MOST_STREAMS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(IdleStoreStreams.class);

    /** The one that was not read for the longest time comes first. */
    private static final List<Idle> STREAMS = new ArrayList<>();

    private IdleStoreStreams() {}

    /** Keeps a stream of a file, and closes the one that was not read for the longest time. */
    static void add(BlobFileInput file, SeekableInputStream stream) {
        Idle oldest;
        synchronized (STREAMS) {
            STREAMS.add(new Idle(file, stream));
            oldest = STREAMS.size() > MOST_STREAMS ? STREAMS.remove(0) : null;
        }
        if (oldest != null) {
            oldest.file.forgetLastEnd();
            try {
                oldest.stream.close();
            } catch (IOException | RuntimeException e) {
                // Not a matter of the read that needs room: the stream's own has got its bytes.
                LOG.warn("A stream of {} does not close.", oldest.file.path(), e);
            }
        }
    }

    /** Takes the stream of a file that was read last, null if there is none. */
    @Nullable
    static SeekableInputStream take(BlobFileInput file) {
        synchronized (STREAMS) {
            for (int i = STREAMS.size() - 1; i >= 0; i--) {
                if (STREAMS.get(i).file == file) {
                    return STREAMS.remove(i).stream;
                }
            }
        }
        return null;
    }

    /** Takes all streams of a file. */
    static List<SeekableInputStream> takeAll(BlobFileInput file) {
        List<SeekableInputStream> taken = new ArrayList<>();
        synchronized (STREAMS) {
            for (Iterator<Idle> all = STREAMS.iterator(); all.hasNext(); ) {
                Idle idle = all.next();
                if (idle.file == file) {
                    taken.add(idle.stream);
                    all.remove();
                }
            }
        }
        return taken;
    }

    private static final class Idle {

        private final BlobFileInput file;
        private final SeekableInputStream stream;

        private Idle(BlobFileInput file, SeekableInputStream stream) {
            this.file = file;
            this.stream = stream;
        }
    }
}
