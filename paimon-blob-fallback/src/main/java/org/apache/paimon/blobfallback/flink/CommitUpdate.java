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

package org.apache.paimon.blobfallback.flink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.paimon.blobfallback.update.BlobUpdateConflictException;
import org.apache.paimon.blobfallback.update.SharedBlobUpdate;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits an update once all of it has been written. */
final class CommitUpdate extends AbstractStreamOperator<Long>
        implements OneInputStreamOperator<byte[], Long>, BoundedOneInput {

    private static final long serialVersionUID = 1L;
    private static final Logger COMMIT_LOG = LoggerFactory.getLogger(CommitUpdate.class);

    private final String tableName;
    private final SharedBlobUpdate update;

    private transient CommitMessageSerializer serializer;
    private transient List<CommitMessage> messages;

    CommitUpdate(String tableName, SharedBlobUpdate update) {
        this.tableName = tableName;
        this.update = update;
    }

    @Override
    public void open() throws Exception {
        super.open();
        serializer = new CommitMessageSerializer();
        messages = new ArrayList<>();
    }

    @Override
    public void processElement(StreamRecord<byte[]> message) throws IOException {
        messages.add(serializer.deserialize(serializer.getVersion(), message.getValue()));
    }

    @Override
    public void endInput() throws IOException {
        try {
            update.commit(messages);
        } catch (BlobUpdateConflictException e) {
            // The row ids were taken from groups that are gone: another attempt cannot help.
            throw new SuppressRestartsException(e);
        }
        COMMIT_LOG.info(
                "Updated blobs in {} groups of table {} in one commit.",
                messages.size(),
                tableName);
    }
}
