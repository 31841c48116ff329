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

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Locale;
import java.util.Random;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

/** Small pictures, painted and told apart. */
final class Pictures {

    private Pictures() {}

    /**
     * Paints a PNG of {@code size} by {@code size} pixels; the same arguments paint the same
     * pixels.
     */
    static byte[] paint(int size, long seed) {
        Random random = new Random(seed);
        BufferedImage image = new BufferedImage(size, size, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.setPaint(new GradientPaint(0, 0, color(random), size, size, color(random)));
        canvas.fillRect(0, 0, size, size);
        for (int i = 0; i < 12; i++) {
            canvas.setColor(color(random));
            int diameter = 1 + random.nextInt(size / 2);
            canvas.fillOval(random.nextInt(size), random.nextInt(size), diameter, diameter);
        }
        canvas.dispose();
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", png);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not encode a picture in memory", e);
        }
        return png.toByteArray();
    }

    private static Color color(Random random) {
        return new Color(random.nextInt(0x1000000));
    }

    /**
     * Says in one line what the bytes are: format and size of a picture that decodes, else their
     * first bytes; always with their number and the start of their SHA-256.
     */
    static String describe(byte[] bytes) {
        return String.format(
                Locale.ROOT,
                "%s, %,d bytes, sha-256 %s",
                decoded(bytes),
                bytes.length,
                sha256(bytes).substring(0, 12));
    }

    private static String decoded(byte[] bytes) {
        try (ImageInputStream stream =
                ImageIO.createImageInputStream(new ByteArrayInputStream(bytes))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
            if (!readers.hasNext()) {
                return notAPicture(bytes);
            }
            ImageReader reader = readers.next();
            try {
                reader.setInput(stream);
                BufferedImage image = reader.read(0);
                return String.format(
                        Locale.ROOT,
                        "%s %dx%d",
                        reader.getFormatName().toUpperCase(Locale.ROOT),
                        image.getWidth(),
                        image.getHeight());
            } finally {
                reader.dispose();
            }
        } catch (IOException e) {
            return "BROKEN PICTURE (" + e.getMessage() + ")";
        }
    }

    private static String notAPicture(byte[] bytes) {
        if (bytes.length == 0) {
            return "no picture (empty)";
        }
        int shown = Math.min(bytes.length, 4);
        return "no picture (starts "
                + HexFormat.ofDelimiter(" ").withUpperCase().formatHex(bytes, 0, shown)
                + ")";
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
