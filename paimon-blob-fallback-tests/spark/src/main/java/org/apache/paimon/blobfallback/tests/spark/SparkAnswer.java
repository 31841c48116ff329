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

package org.apache.paimon.blobfallback.tests.spark;

import java.io.Serializable;
import java.util.List;

/**
 * What a Spark application answers.
 *
 * @param rows of JDK values, null after a failure
 * @param columns their names, null after a failure
 * @param failure a stack trace, null if there was none
 */
public record SparkAnswer(List<List<Object>> rows, List<String> columns, String failure)
        implements Serializable {}
