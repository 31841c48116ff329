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

package org.apache.paimon.blobfallback.format.io;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The idle open streams of blob files, of all readers of the process.
 *
 * <p>Opening a stream on an object store costs a request for the size of the object, and a read
 * that continues in an open stream needs no new request, so the most recently used streams are
 * kept. But each stream of an object store holds a connection from a pool that all streams of the
 * process share: if each reader kept its own streams, they could hold all connections, and every
 * request would wait forever. A stream that is being read waits for no other.
 */
final class StreamPool {

    /**
     * Minimum for an object store, for reads with few concurrent requests: this many layers can
     * each be read in one request, and it is only a part even of a small pool of connections.
     */
    private static final int MIN_STORE_STREAMS = 16;

    /** One is read for the next batch while the one of the previous batch is kept. */
    private static final int STORE_STREAMS_PER_REQUEST = 2;

    /**
     * Each holds a file descriptor, and a process has at least 1,024: half of them, regardless of
     * the parallelism, since a local file is read with one request at a time.
     */
    private static final int MAX_LOCAL_STREAMS = 512;

    private static final StreamPool OF_PROCESS = new StreamPool();

    private static final Logger LOG = LoggerFactory.getLogger(StreamPool.class);

    // In both, the least recently used stream comes first.
    private final Map<FileStream, BlobFileInput> localStreams = new LinkedHashMap<>();
    private final Map<FileStream, BlobFileInput> storeStreams = new LinkedHashMap<>();

    /** The most recently used stream comes first. */
    private final Map<BlobFileInput, Deque<FileStream>> byFile = new HashMap<>();

    /** The pool of the process. */
    static StreamPool ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Maximum number of idle streams that stay open.
     *
     * @param local whether they are streams of local files
     * @param parallelism of the read that returns one
     */
    static int maxStreams(boolean local, int parallelism) {
        return local
                ? MAX_LOCAL_STREAMS
                : Math.max(MIN_STORE_STREAMS, STORE_STREAMS_PER_REQUEST * parallelism);
    }

    /**
     * Keeps a stream of a file, and closes the least recently used ones if there are too many of
     * its kind.
     */
    void add(BlobFileInput file, FileStream stream) {
        Map<FileStream, BlobFileInput> closing = new LinkedHashMap<>();
        synchronized (this) {
            Map<FileStream, BlobFileInput> streams = streamsLike(stream);
            streams.put(stream, file);
            byFile.computeIfAbsent(file, any -> new ArrayDeque<>()).push(stream);
            int max = maxStreams(stream.isLocal(), file.parallelism());
            Iterator<Map.Entry<FileStream, BlobFileInput>> oldest = streams.entrySet().iterator();
            while (streams.size() > max) {
                Map.Entry<FileStream, BlobFileInput> leaving = oldest.next();
                oldest.remove();
                closing.put(leaving.getKey(), leaving.getValue());
                forget(leaving.getValue(), leaving.getKey());
            }
        }
        closing.forEach(StreamPool::close);
    }

    /** Takes the most recently used stream of a file, null if there is none. */
    @Nullable
    synchronized FileStream take(BlobFileInput file) {
        Deque<FileStream> streams = byFile.get(file);
        if (streams == null) {
            return null;
        }
        FileStream last = streams.peek();
        forget(file, last);
        streamsLike(last).remove(last);
        return last;
    }

    /** Takes all streams of a file. */
    synchronized List<FileStream> takeAll(BlobFileInput file) {
        Deque<FileStream> streams = byFile.remove(file);
        if (streams == null) {
            return new ArrayList<>();
        }
        streams.forEach(stream -> streamsLike(stream).remove(stream));
        return new ArrayList<>(streams);
    }

    private Map<FileStream, BlobFileInput> streamsLike(FileStream stream) {
        return stream.isLocal() ? localStreams : storeStreams;
    }

    private void forget(BlobFileInput file, FileStream stream) {
        Deque<FileStream> streams = byFile.get(file);
        streams.remove(stream);
        if (streams.isEmpty()) {
            byFile.remove(file);
        }
    }

    private static void close(FileStream stream, BlobFileInput file) {
        file.forgetLastEnd();
        try {
            stream.close();
        } catch (IOException | RuntimeException e) {
            // Not a failure of the current read; the one that used the stream has its bytes.
            LOG.warn("Failed to close a stream of {}.", file.path(), e);
        }
    }
}
