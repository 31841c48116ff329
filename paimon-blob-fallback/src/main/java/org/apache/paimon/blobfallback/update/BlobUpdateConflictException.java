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

package org.apache.paimon.blobfallback.update;

import org.apache.paimon.annotation.Public;

/**
 * The groups that an update touches have been changed: by a compaction, a drop or new row ids.
 * Nothing has been committed. Query the row ids again and repeat the update.
 */
@Public
public final class BlobUpdateConflictException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BlobUpdateConflictException(String message) {
        super(message);
    }

    BlobUpdateConflictException(String message, Throwable cause) {
        super(message, cause);
    }
}
