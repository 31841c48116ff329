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

package org.apache.paimon.blobfallback.spark;

/** Cleans up after attempts that Spark has killed by interrupting them. */
final class Interruptions {

    private Interruptions() {}

    /**
     * Closes what deletes the files of a failed attempt. An interruption, which would make the
     * storage fail, is held back until then.
     *
     * @param failure of the attempt, to which a failure of the closing is added
     */
    static void close(AutoCloseable files, Throwable failure) {
        boolean interrupted = Thread.interrupted();
        try {
            files.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
