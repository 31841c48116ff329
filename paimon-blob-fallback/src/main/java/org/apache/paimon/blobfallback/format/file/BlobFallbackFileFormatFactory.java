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

package org.apache.paimon.blobfallback.format.file;

import org.apache.paimon.blobfallback.format.BlobFileLayout;
import org.apache.paimon.blobfallback.host.Host;
import org.apache.paimon.format.FileFormat;
import org.apache.paimon.format.FileFormatFactory;
import org.apache.paimon.format.blob.BlobFileFormatFactory;

/**
 * Finds the plugin's {@code blob} format through {@link java.util.ServiceLoader}.
 *
 * <p>The host has a factory of the same name and takes the first one on the class path. The
 * plugin's own reads use neither.
 */
public final class BlobFallbackFileFormatFactory implements FileFormatFactory {

    @Override
    public String identifier() {
        return BlobFileLayout.IDENTIFIER;
    }

    /**
     * Creates the format.
     *
     * @return the host's own format if the host is Paimon 2.0 or later, which needs no plugin
     * @throws IllegalStateException if the host is older than Paimon 1.4
     */
    @Override
    public FileFormat create(FormatContext context) {
        return Host.needsFallback()
                ? new BlobFallbackFileFormat(context.options())
                : new BlobFileFormatFactory().create(context);
    }
}
