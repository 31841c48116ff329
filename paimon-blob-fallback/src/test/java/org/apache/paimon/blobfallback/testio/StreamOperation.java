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

import org.apache.paimon.fs.Path;

/**
 * One operation on an input stream.
 *
 * @param number counts the operations from one
 * @param kind of operation
 * @param path of the file
 * @param stream counts the streams from one; 0 while the stream is being opened
 * @param position that is read or sought, in bytes
 * @param length that is asked for, in bytes; 0 unless it is a read
 */
public record StreamOperation(
        int number, Kind kind, Path path, int stream, long position, int length) {

    /** What can be done with a stream. */
    public enum Kind {
        OPEN,
        SEEK,
        READ,
        CLOSE
    }
}
