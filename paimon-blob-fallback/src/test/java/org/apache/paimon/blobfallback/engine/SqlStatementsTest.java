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

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A text is cut where a statement ends and nowhere else. */
class SqlStatementsTest {

    @Test
    void statementsEndAtSemicolons() {
        assertThat(SqlStatements.split("SELECT 1; SELECT 2 ;\n;; SELECT 3"))
                .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
        assertThat(SqlStatements.split(" SELECT 1 ; ")).containsExactly("SELECT 1");
        assertThat(SqlStatements.split(" ;; ")).isEmpty();
        assertThat(SqlStatements.split("")).isEmpty();
    }

    @Test
    void literalsNamesAndCommentsAreWhole() {
        for (String statement :
                new String[] {
                    "SELECT 'a;b'",
                    "SELECT 'it''s; so'",
                    "SELECT '''; '",
                    "SELECT `a;b`, `c``;d`",
                    "SELECT 'not -- a comment; ', 1",
                    "SELECT 'not /* a comment; ', '*/'",
                    "SELECT 1 -- one; it's\n + 1",
                    "SELECT 1 // one; it's\n + 1",
                    "SELECT /* ; ' */ 1",
                    "SELECT /**/ 1 /*/ ; */",
                    "SELECT * FROM t /*+ OPTIONS('a' = 'x*/;') */",
                }) {
            assertThat(SqlStatements.split(statement + ";\nSELECT 2"))
                    .containsExactly(statement, "SELECT 2");
        }
    }

    @Test
    void commentsAloneAreNotStatements() {
        assertThat(SqlStatements.split("-- first;\n/* second; */; SELECT 1; -- the end"))
                .containsExactly("SELECT 1");
    }

    @Test
    void whatDoesNotEndIsLeftToTheParser() {
        assertThat(SqlStatements.split("SELECT 1; SELECT 'a; SELECT 2"))
                .containsExactly("SELECT 1", "SELECT 'a; SELECT 2");
        assertThat(SqlStatements.split("SELECT 1; SELECT /* a; SELECT 2"))
                .containsExactly("SELECT 1", "SELECT /* a; SELECT 2");
    }
}
