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

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.PositionOutputStream;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;

/**
 * The local file system, with an error at the n-th operation. A create, a write, a flush, a close,
 * a rename and a delete are counted; where only one operation fails and is not done, an open, a
 * listing and a look for a file are counted too.
 */
final class FailingFileIO extends LocalFileIO {

    private static final long serialVersionUID = 1L;

    /** Which operations fail. */
    enum Trouble {
        /** Only the n-th operation fails. */
        ONCE,
        /** The n-th operation and all after it fail, whether they are counted or not. */
        FROM_THEN_ON,
        /** The n-th operation is done, and then reported as failed. */
        ONCE_AFTERWARDS,
        /** The n-th operation that writes a blob file fails with an OutOfMemoryError. */
        ERROR
    }

    private final AtomicInteger operations = new AtomicInteger();

    private volatile Trouble trouble;
    private volatile int failing;

    /** Lets the n-th operation from now on fail, counted from one. */
    void failAt(int operation, Trouble kind) {
        operations.set(0);
        failing = operation;
        trouble = kind;
    }

    /** Ends the trouble and returns whether it has begun at all. */
    boolean repair() {
        boolean begun = operations.get() >= failing;
        trouble = null;
        return begun;
    }

    @Override
    public PositionOutputStream newOutputStream(Path path, boolean overwrite) throws IOException {
        return run(
                "create " + path.getName(),
                () -> new FailingStream(super.newOutputStream(path, overwrite), path.getName()));
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        return read("open " + path.getName(), () -> super.newInputStream(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return read("list " + path.getName(), () -> super.listStatus(path));
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return run("delete " + path.getName(), () -> super.delete(path, recursive));
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        return run("rename to " + target.getName(), () -> super.rename(source, target));
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return read("look for " + path.getName(), () -> super.exists(path));
    }

    private <T> T read(String what, Operation<T> operation) throws IOException {
        if (trouble == Trouble.ONCE) {
            return run(what, operation);
        }
        if (trouble == Trouble.FROM_THEN_ON && operations.get() >= failing) {
            throw new IOException("Injected: " + what);
        }
        return operation.run();
    }

    private <T> T run(String what, Operation<T> operation) throws IOException {
        Trouble current = trouble;
        boolean fails = false;
        if (current == Trouble.ERROR && !what.endsWith(".blob")) {
            return operation.run();
        }
        if (current != null) {
            int count = operations.incrementAndGet();
            fails = current == Trouble.FROM_THEN_ON ? count >= failing : count == failing;
        }
        if (fails && current == Trouble.ERROR) {
            throw new OutOfMemoryError("Injected: " + what);
        }
        if (fails && current != Trouble.ONCE_AFTERWARDS) {
            throw new IOException("Injected: " + what);
        }
        T result = operation.run();
        if (fails) {
            throw new IOException("Injected after: " + what);
        }
        return result;
    }

    private interface Operation<T> {

        T run() throws IOException;
    }

    private final class FailingStream extends PositionOutputStream {

        private final PositionOutputStream out;
        private final String name;

        private FailingStream(PositionOutputStream out, String name) {
            this.out = out;
            this.name = name;
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b});
        }

        @Override
        public void write(byte[] b) throws IOException {
            write(b, 0, b.length);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            run(
                    "write to " + name,
                    () -> {
                        out.write(b, off, len);
                        return null;
                    });
        }

        @Override
        public void flush() throws IOException {
            run(
                    "flush of " + name,
                    () -> {
                        out.flush();
                        return null;
                    });
        }

        @Override
        public void close() throws IOException {
            try {
                run(
                        "close of " + name,
                        () -> {
                            out.close();
                            return null;
                        });
            } catch (IOException e) {
                // The error is about the bytes; the handle is gone either way.
                out.close();
                throw e;
            }
        }
    }
}
