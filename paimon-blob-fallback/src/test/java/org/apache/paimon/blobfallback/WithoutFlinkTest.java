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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ServiceLoader;
import org.apache.paimon.blobfallback.catalog.BlobFallbackCatalogFactory;
import org.apache.paimon.blobfallback.options.BlobFallbackOptions;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.factories.Factory;
import org.apache.paimon.factories.FactoryUtil;
import org.junit.jupiter.api.Test;

/**
 * In a JVM without Flink the rest of the jar works, though its services file names classes that
 * need Flink. All tests of this module run in such a JVM.
 */
class WithoutFlinkTest {

    @Test
    void thisJvmHasNoFlink() {
        assertThatThrownBy(() -> load("org.apache.flink.table.procedures.Procedure"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> load("org.apache.paimon.flink.procedure.ProcedureBase"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void theProceduresAreNamedAndCannotBeLinked() {
        assertThatThrownBy(
                        () ->
                                ServiceLoader.load(Factory.class)
                                        .forEach(factory -> factory.identifier()))
                .isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void theHostFindsTheCatalogAllTheSame() {
        assertThat(
                        FactoryUtil.discoverFactory(
                                getClass().getClassLoader(),
                                CatalogFactory.class,
                                BlobFallbackOptions.METASTORE_IDENTIFIER))
                .isInstanceOf(BlobFallbackCatalogFactory.class);
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, WithoutFlinkTest.class.getClassLoader());
    }
}
