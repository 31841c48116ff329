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

package org.apache.paimon.blobfallback.read.rows;

import java.io.IOException;

/** The rows to read, a window at a time. */
public interface Windows {

    /**
     * Whether there is another row.
     *
     * @throws IOException if that cannot be found out; it names what cannot be read
     */
    boolean hasNext() throws IOException;

    /**
     * Takes the next rows; {@link #hasNext()} has said that there is one.
     *
     * @param maxPlaces most places of the window
     * @return at least one row
     * @throws IOException as {@link #hasNext()}
     */
    Window nextWindow(int maxPlaces) throws IOException;
}
