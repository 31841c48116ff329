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
 * The payloads of a blob column. {@code BlobColumnType} has a class for each type: {@code
 * RawColumn} one blob, {@code ArrayColumn} and {@code MapColumn} a collection, whose bytes {@code
 * CollectionLayout} describes and {@code CollectionReader} checks. {@code MapKey} has an entry for
 * each type of key. {@code BlobValues} makes values from entries.
 */
package org.apache.paimon.blobfallback.format.column;
