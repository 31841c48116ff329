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

package org.apache.paimon.blobfallback.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.paimon.blobfallback.format.column.BlobColumns;
import org.apache.paimon.blobfallback.layers.Group;
import org.apache.paimon.blobfallback.read.rows.RowSelection;
import org.apache.paimon.io.DataFileMeta;
import org.apache.paimon.table.SpecialFields;
import org.apache.paimon.types.DataField;
import org.apache.paimon.types.RowType;
import org.apache.paimon.utils.Range;

/**
 * Rows of a group for which the same files are read, if only blob and system columns are wanted
 * (R4).
 *
 * <p>{@code _SEQUENCE_NUMBER} comes from the first wanted blob column that has a file over the row,
 * or else from the normal file. The files in a split depend on which rows are read, so they must
 * not decide it: a row is read without a normal file wherever possible.
 */
final class BlobOnlyPart {

    private final Group<DataFileMeta> group;
    private final RowSelection selection;

    private BlobOnlyPart(Group<DataFileMeta> group, RowSelection selection) {
        this.group = group;
        this.selection = selection;
    }

    /** The files that are read for the rows. */
    Group<DataFileMeta> group() {
        return group;
    }

    /** The rows. */
    RowSelection selection() {
        return selection;
    }

    /**
     * Cuts a group into parts, ascending by row id. There is only one part if the result does not
     * depend on it.
     *
     * @param context the table
     * @param selection rows to read, at least one
     * @param readType columns that are wanted
     */
    static List<BlobOnlyPart> of(
            ReadContext context,
            Group<DataFileMeta> group,
            RowSelection selection,
            RowType readType) {
        BlobOnlyPart whole = new BlobOnlyPart(group, selection);
        Set<Integer> wanted = wantedBlobs(context, group, readType);
        if (wanted.isEmpty()) {
            return Collections.singletonList(whole);
        }
        List<DataFileMeta> files = new ArrayList<>();
        TreeSet<Long> starts = new TreeSet<>(Collections.singleton(group.range().from));
        for (DataFileMeta file : group.blobFiles()) {
            if (wanted.contains(context.fileColumns().blobFieldId(file))) {
                files.add(file);
                starts.add(Math.max(file.nonNullRowIdRange().from, group.range().from));
                starts.add(file.nonNullRowIdRange().to + 1);
            }
        }
        List<BlobOnlyPart> parts = new ArrayList<>();
        Set<Integer> columns = Collections.emptySet();
        Long first = null;
        for (long start : starts.headSet(group.range().to, true)) {
            Set<Integer> over = new HashSet<>();
            for (DataFileMeta file : files) {
                if (file.nonNullRowIdRange().hasIntersection(new Range(start, start))) {
                    over.add(context.fileColumns().blobFieldId(file));
                }
            }
            if (first == null || !over.equals(columns)) {
                if (first != null) {
                    whole.cut(parts, new Range(first, start - 1), columns.isEmpty(), files);
                }
                first = start;
                columns = over;
            }
        }
        whole.cut(parts, new Range(first, group.range().to), columns.isEmpty(), files);
        return parts;
    }

    /** Adds the selected rows of a range, with the files that are read for them. */
    private void cut(
            List<BlobOnlyPart> parts,
            Range range,
            boolean withoutBlobs,
            List<DataFileMeta> wantedFiles) {
        if (withoutBlobs) {
            RowSelection rows = RowSelection.of(range, selection.ranges());
            if (!rows.isEmpty()) {
                parts.add(
                        new BlobOnlyPart(
                                group.normalFiles().isEmpty()
                                        ? group
                                        : Group.ofFiles(group.normalFiles()).get(0),
                                rows));
            }
            return;
        }
        List<DataFileMeta> over = new ArrayList<>();
        for (DataFileMeta file : wantedFiles) {
            if (file.nonNullRowIdRange().hasIntersection(range)) {
                over.add(file);
            }
        }
        for (Group<DataFileMeta> blobs : Group.ofFiles(over)) {
            RowSelection rows =
                    RowSelection.of(Range.intersection(blobs.range(), range), selection.ranges());
            if (!rows.isEmpty()) {
                parts.add(new BlobOnlyPart(blobs, rows));
            }
        }
    }

    /**
     * Field ids of the blob columns that are wanted; none if no sequence number is wanted with
     * them, or if it comes from a normal file in any case, because one is read for another column
     * or kept for its deletion vector.
     */
    private static Set<Integer> wantedBlobs(
            ReadContext context, Group<DataFileMeta> group, RowType readType) {
        if (context.options().deletionVectorsEnabled()
                || !readType.containsField(SpecialFields.SEQUENCE_NUMBER.id())) {
            return Collections.emptySet();
        }
        Set<Integer> blobs = new HashSet<>();
        for (DataField field : readType.getFields()) {
            if (BlobColumns.isBlobColumn(field.type())) {
                blobs.add(field.id());
            } else if (field.id() != SpecialFields.SEQUENCE_NUMBER.id()
                    && field.id() != SpecialFields.ROW_ID.id()) {
                return Collections.emptySet();
            }
        }
        for (DataFileMeta file : group.normalFiles()) {
            if (!Collections.disjoint(context.fileColumns().writtenFieldIds(file), blobs)) {
                return Collections.emptySet();
            }
        }
        return blobs;
    }
}
