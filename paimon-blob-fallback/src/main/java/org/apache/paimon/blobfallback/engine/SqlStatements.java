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

package org.apache.paimon.blobfallback.engine;

import java.util.ArrayList;
import java.util.List;

/** Splits a SQL text into statements, at the same places as Flink's parser. */
public final class SqlStatements {

    private final String text;
    private final List<String> statements = new ArrayList<>();

    private int start;
    private boolean hasSql;

    private SqlStatements(String text) {
        this.text = text;
    }

    /**
     * The statements of a text, without the semicolons between them. Semicolons in literals, quoted
     * names and comments are a part of the statement. Statements that consist of comments alone are
     * left out. A literal or comment that does not end is left to the parser, which reports it.
     */
    public static List<String> split(String text) {
        SqlStatements sql = new SqlStatements(text);
        int position = 0;
        while (position < text.length()) {
            position = sql.next(position);
        }
        sql.end(text.length());
        return sql.statements;
    }

    /** The position after the character, literal, name or comment at a position. */
    private int next(int position) {
        char c = text.charAt(position);
        if (c == ';') {
            end(position);
            start = position + 1;
            return start;
        }
        if (text.startsWith("--", position) || text.startsWith("//", position)) {
            return past("\n", position);
        }
        // A hint is read like the rest of the statement.
        if (text.startsWith("/*", position) && !text.startsWith("/*+", position)) {
            return past("*/", position + 2);
        }
        hasSql |= !Character.isWhitespace(c);
        // A quote that is written twice ends one literal and begins another, to the same effect.
        return c == '\'' || c == '`' ? past(String.valueOf(c), position + 1) : position + 1;
    }

    private int past(String end, int position) {
        int found = text.indexOf(end, position);
        return found < 0 ? text.length() : found + end.length();
    }

    private void end(int position) {
        if (hasSql) {
            statements.add(text.substring(start, position).trim());
        }
        hasSql = false;
    }
}
