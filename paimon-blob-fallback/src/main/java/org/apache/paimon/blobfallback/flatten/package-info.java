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

/**
 * How a flatten finds the bunches to rewrite ({@code FlattenScan}), writes each as one layer
 * ({@code FlattenWriter}) and commits ({@code FlattenCommit}). {@code BlobFlatten}, which runs
 * these, is in the package {@code update}, as part of the Java API.
 */
package org.apache.paimon.blobfallback.flatten;
