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

/** Is told how far a check has come. */
@FunctionalInterface
public interface VerifyProgress {

    /**
     * A file has been checked. Calls come from several threads, one at a time.
     *
     * @param files that are done
     * @param ofFiles number of files in all
     * @param bytes of the files that are done
     * @param ofBytes bytes of all files together
     */
    void checked(int files, int ofFiles, long bytes, long ofBytes);
}
