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

import java.util.List;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.TableCommitImpl;

/**
 * Commits flattened groups. The host itself sees to it that all files that are replaced are still
 * there.
 */
final class FlattenCommit {

    private final FileStoreTable table;
    private final CommitTrail trail;

    /**
     * @param commitUser of this commit alone
     */
    FlattenCommit(FileStoreTable table, String commitUser) {
        this.table = table;
        this.trail = new CommitTrail(table, commitUser);
    }

    /**
     * Commits.
     *
     * @throws RuntimeException if a file that is replaced is not there any more, or the commit
     *     failed otherwise
     */
    // The host's commit may throw any exception when it closes; an interruption is none of them.
    @SuppressWarnings("try")
    void commit(List<CommitMessage> messages) {
        trail.begin(BlobTable.latestSnapshot(table));
        try (TableCommitImpl commit = table.newCommit(trail.commitUser())) {
            commit.commit(messages);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(
                    "Cannot close a commit of table " + table.fullName(), e);
        }
        trail.succeed();
    }

    CommitTrail trail() {
        return trail;
    }
}
