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

package org.apache.paimon.blobfallback.spark;

import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import org.apache.paimon.utils.InstantiationUtil;

/**
 * Objects as bytes between driver and tasks, since Spark may be configured with a serializer that
 * does not know their classes.
 */
final class Serialized {

    private Serialized() {}

    static byte[] bytes(Object object) throws IOException {
        return InstantiationUtil.serializeObject(object);
    }

    /** What a task with one result returns. */
    static Iterator<byte[]> result(Object object) throws IOException {
        return Collections.singletonList(bytes(object)).iterator();
    }

    static <T> T object(byte[] bytes) throws IOException {
        try {
            return InstantiationUtil.deserializeObject(bytes, Serialized.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IOException("The tasks have classes that are missing here.", e);
        }
    }
}
