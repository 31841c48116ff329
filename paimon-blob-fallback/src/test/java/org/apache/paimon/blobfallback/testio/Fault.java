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

package org.apache.paimon.blobfallback.testio;

import java.io.IOException;

/** What happens to operations on input streams. */
@FunctionalInterface
public interface Fault {

    /**
     * Is called before the operation.
     *
     * @return maximum number of bytes that a read may return
     * @throws IOException if the operation is to fail
     */
    int before(StreamOperation operation) throws IOException;

    /** The n-th operation fails with an I/O error. */
    static Fault failing(int number) {
        return operation -> {
            if (operation.number() == number) {
                throw new IOException("Injected failure of operation " + number);
            }
            return operation.length();
        };
    }

    /** From the n-th operation on each one fails with an I/O error, except closing. */
    static Fault failingFrom(int number) {
        return operation -> {
            if (operation.number() >= number && operation.kind() != StreamOperation.Kind.CLOSE) {
                throw new IOException("Injected failure of operation " + operation.number());
            }
            return operation.length();
        };
    }

    /** The n-th operation, if it is a read, returns a single byte. */
    static Fault shortening(int number) {
        return operation ->
                operation.number() == number ? Math.min(1, operation.length()) : operation.length();
    }

    /**
     * From the n-th operation on each read returns no bytes. An endless loop of reads is stopped by
     * an error.
     */
    static Fault emptyingFrom(int number) {
        return operation -> {
            if (operation.number() < number || operation.kind() != StreamOperation.Kind.READ) {
                return operation.length();
            }
            if (operation.number() > number + 1000) {
                throw new AssertionError("Read again and again: " + operation);
            }
            return 0;
        };
    }

    /** The n-th operation finds its thread interrupted. */
    static Fault interrupting(int number) {
        return operation -> {
            if (operation.number() == number) {
                Thread.currentThread().interrupt();
            }
            return operation.length();
        };
    }
}
