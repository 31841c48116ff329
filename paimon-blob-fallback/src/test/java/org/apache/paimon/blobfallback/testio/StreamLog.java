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

package org.apache.paimon.blobfallback.testio;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.paimon.fs.Path;

/** What was done with the streams of one {@link CountingFileIO}. */
final class StreamLog {

    private static final Fault NONE = StreamOperation::length;

    private final Map<Object, Throwable> open = new IdentityHashMap<>();
    private final List<StreamOperation> operations = new ArrayList<>();
    private final Map<String, Long> bytes = new HashMap<>();
    private Fault fault = NONE;
    private int streams;

    synchronized void inject(Fault injected) {
        fault = injected;
        operations.clear();
    }

    synchronized void reset() {
        fault = NONE;
        operations.clear();
        bytes.clear();
    }

    synchronized List<StreamOperation> operations() {
        return new ArrayList<>(operations);
    }

    synchronized Set<String> openedFiles() {
        Set<String> files = new TreeSet<>();
        for (StreamOperation operation : operations) {
            if (operation.kind() == StreamOperation.Kind.OPEN) {
                files.add(operation.path().getName());
            }
        }
        return files;
    }

    synchronized long bytesRead(String ending) {
        return bytes.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(ending))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    synchronized int requests(String ending) {
        int requests = 0;
        Map<Integer, Long> ends = new HashMap<>();
        for (StreamOperation operation : operations) {
            if (operation.kind() == StreamOperation.Kind.READ
                    && operation.path().getName().endsWith(ending)) {
                Long end = ends.put(operation.stream(), operation.position() + operation.length());
                if (end == null || end != operation.position()) {
                    requests++;
                }
            }
        }
        return requests;
    }

    synchronized List<Throwable> openStreams() {
        return new ArrayList<>(open.values());
    }

    /**
     * Notes an operation and lets the fault act.
     *
     * @return maximum number of bytes that a read may return
     */
    int before(StreamOperation.Kind kind, Path path, int stream, long position, int length)
            throws IOException {
        StreamOperation operation;
        Fault acting;
        synchronized (this) {
            operation =
                    new StreamOperation(
                            operations.size() + 1, kind, path, stream, position, length);
            operations.add(operation);
            acting = fault;
        }
        return acting.before(operation);
    }

    /** Notes a new stream and returns its number. */
    synchronized int opened(Object stream, Path path) {
        open.put(stream, new Throwable("Opened " + path));
        return ++streams;
    }

    synchronized void closed(Object stream) {
        open.remove(stream);
    }

    synchronized void read(Path path, int count) {
        if (count > 0) {
            bytes.merge(path.getName(), (long) count, Long::sum);
        }
    }
}
