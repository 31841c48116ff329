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

package org.apache.paimon.blobfallback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.paimon.blobfallback.catalog.BlobFallbackCatalogFactory;
import org.apache.paimon.blobfallback.format.file.BlobFallbackFileFormatFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contents of the jar that is deployed. */
class PluginJarIT {

    private static final int JAVA_8 = 52;
    private static final int CLASS_FILE_MAGIC = 0xCAFEBABE;

    private JarFile jar;

    @BeforeEach
    void openJar() throws IOException {
        jar = new JarFile(System.getProperty("plugin.jar"));
    }

    @AfterEach
    void closeJar() throws IOException {
        jar.close();
    }

    @Test
    void everyClassIsJava8Bytecode() throws IOException {
        List<JarEntry> classes =
                jar.stream().filter(entry -> entry.getName().endsWith(".class")).toList();
        assertThat(classes).isNotEmpty();
        for (JarEntry entry : classes) {
            try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
                assertThat(in.readInt()).isEqualTo(CLASS_FILE_MAGIC);
                in.readUnsignedShort();
                assertThat(in.readUnsignedShort()).as(entry.getName()).isEqualTo(JAVA_8);
            }
        }
    }

    @Test
    void nothingIsInTheJarButThePluginAndWhatDescribesIt() {
        assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName))
                .allMatch(
                        name ->
                                name.startsWith("org/apache/paimon/blobfallback/")
                                        || name.startsWith("META-INF/"))
                .filteredOn(name -> name.startsWith("META-INF/"))
                .allMatch(
                        name ->
                                name.equals("META-INF/MANIFEST.MF")
                                        || name.equals("META-INF/LICENSE")
                                        || name.equals("META-INF/NOTICE")
                                        || name.startsWith("META-INF/services/org.apache.paimon.")
                                        || name.startsWith(
                                                "META-INF/maven/org.apache.paimon.blobfallback/"));
    }

    @Test
    void licenceAndNoticeAreThere() throws IOException {
        assertThat(text("META-INF/LICENSE")).contains("Apache License").contains("Version 2.0");
        assertThat(text("META-INF/NOTICE")).isNotBlank();
    }

    @Test
    void theHostFindsCatalogFormatAndProceduresByTheirServicesFiles() throws IOException {
        assertThat(services("org.apache.paimon.factories.Factory"))
                .containsExactly(
                        BlobFallbackCatalogFactory.class.getName(),
                        "org.apache.paimon.blobfallback.flink.FlattenBlobLayersProcedure",
                        "org.apache.paimon.blobfallback.flink.UpdateBlobsProcedure");
        assertThat(services("org.apache.paimon.format.FileFormatFactory"))
                .containsExactly(BlobFallbackFileFormatFactory.class.getName());
    }

    private List<String> services(String service) throws IOException {
        return text("META-INF/services/" + service)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private String text(String name) throws IOException {
        JarEntry entry = jar.getJarEntry(name);
        assertThat(entry).as(name).isNotNull();
        return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    }
}
