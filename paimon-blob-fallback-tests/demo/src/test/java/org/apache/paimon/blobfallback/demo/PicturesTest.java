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

package org.apache.paimon.blobfallback.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PicturesTest {

    @Test
    void aPaintedPictureDecodes() {
        assertThat(Pictures.describe(Pictures.paint(48, 1))).startsWith("PNG 48x48, ");
    }

    @Test
    void theSameSeedPaintsTheSamePicture() {
        assertThat(Pictures.paint(48, 1)).isEqualTo(Pictures.paint(48, 1));
        assertThat(Pictures.paint(48, 1)).isNotEqualTo(Pictures.paint(48, 2));
    }

    @Test
    void aPictureThatIsCutIsBroken() {
        byte[] picture = Pictures.paint(48, 1);

        assertThat(Pictures.describe(Arrays.copyOf(picture, picture.length / 2)))
                .startsWith("BROKEN PICTURE");
    }

    @Test
    void otherBytesAreNotAPicture() {
        assertThat(Pictures.describe(new byte[] {1, 2, (byte) 0xAB, 3, 4}))
                .isEqualTo("no picture (starts 01 02 AB 03), 5 bytes, sha-256 " + "f953943195b5");
        assertThat(Pictures.describe(new byte[0]))
                .isEqualTo("no picture (empty), 0 bytes, sha-256 e3b0c44298fc");
    }
}
