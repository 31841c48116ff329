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

package org.apache.paimon.blobfallback.inspect;

import org.apache.paimon.annotation.Public;

/** Receives the progress of a check. */
@FunctionalInterface
@Public
public interface VerifyProgress {

    /**
     * Called after a file has been checked, from several threads but one at a time.
     *
     * @param files number of files that have been checked
     * @param ofFiles number of files in all
     * @param bytes total size in bytes of the files that have been checked
     * @param ofBytes total size in bytes of all files
     */
    void checked(int files, int ofFiles, long bytes, long ofBytes);
}
