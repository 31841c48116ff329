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

package org.apache.paimon.blobfallback.tests.benchmark;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A line chart with two logarithmic axes as SVG. Its text is text, which the usual libraries turn
 * into outlines a hundred times as long.
 */
final class LogLogChart {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int LEFT = 70;
    private static final int RIGHT = WIDTH - 40;
    private static final int TOP = 32;
    private static final int BOTTOM = HEIGHT - 50;

    private final String xTitle;
    private final String yTitle;
    private final List<Line> lines = new ArrayList<>();

    LogLogChart(String xTitle, String yTitle) {
        this.xTitle = xTitle;
        this.yTitle = yTitle;
    }

    /** Points of one color, all of them positive, joined. */
    private record Line(String name, String color, List<Double> x, List<Double> y) {}

    /** Adds a line. */
    LogLogChart line(String name, String color, List<Double> x, List<Double> y) {
        lines.add(new Line(name, color, List.copyOf(x), List.copyOf(y)));
        return this;
    }

    /** All of it. */
    String toSvg() {
        Axis x = axis(lines.stream().flatMap(line -> line.x.stream()), LEFT, RIGHT);
        Axis y = axis(lines.stream().flatMap(line -> line.y.stream()), BOTTOM, TOP);
        StringBuilder svg = new StringBuilder();
        add(
                svg,
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'"
                        + " font-family='sans-serif' font-size='12'>",
                WIDTH,
                HEIGHT);
        add(svg, "<rect width='%d' height='%d' fill='white'/>", WIDTH, HEIGHT);
        for (double power : x.powers()) {
            double at = x.place(power);
            add(svg, "<path d='M%.1f %dV%d' stroke='#ddd'/>", at, TOP, BOTTOM);
            text(svg, at, BOTTOM + 16, "middle", number(power));
        }
        for (double power : y.powers()) {
            double at = y.place(power);
            add(svg, "<path d='M%d %.1fH%d' stroke='#ddd'/>", LEFT, at, RIGHT);
            text(svg, LEFT - 6, at + 4, "end", number(power));
        }
        text(svg, (LEFT + RIGHT) / 2.0, HEIGHT - 12, "middle", xTitle);
        text(svg, 6, TOP - 18, "start", yTitle);
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            String points =
                    IntStream.range(0, line.x.size())
                            .mapToObj(
                                    point ->
                                            String.format(
                                                    Locale.ROOT,
                                                    "%.1f,%.1f",
                                                    x.place(line.x.get(point)),
                                                    y.place(line.y.get(point))))
                            .collect(Collectors.joining(" "));
            add(
                    svg,
                    "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>",
                    points,
                    line.color);
            for (String point : points.split(" ")) {
                String[] place = point.split(",");
                add(
                        svg,
                        "<circle cx='%s' cy='%s' r='3' fill='%s'/>",
                        place[0],
                        place[1],
                        line.color);
            }
            int legend = TOP + 16 + 18 * i;
            add(
                    svg,
                    "<path d='M%d %dh24' stroke='%s' stroke-width='2'/>",
                    LEFT + 10,
                    legend - 4,
                    line.color);
            text(svg, LEFT + 40, legend, "start", line.name);
        }
        return svg.append("</svg>\n").toString();
    }

    private static Axis axis(Stream<Double> values, int start, int end) {
        DoubleSummaryStatistics all = values.mapToDouble(Math::log10).summaryStatistics();
        double first = Math.floor(all.getMin());
        return new Axis(first, Math.max(first + 1, Math.ceil(all.getMax())), start, end);
    }

    /** From one power of ten to another, and where they are in the picture. */
    private record Axis(double first, double last, int start, int end) {

        double place(double value) {
            return start + (Math.log10(value) - first) / (last - first) * (end - start);
        }

        double[] powers() {
            return DoubleStream.iterate(first, power -> power <= last, power -> power + 1)
                    .map(power -> Math.pow(10, power))
                    .toArray();
        }
    }

    private static String number(double power) {
        return power < 1
                ? Double.toString(power)
                : String.format(Locale.ROOT, "%,d", Math.round(power));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        add(svg, "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, text);
    }

    private static void add(StringBuilder svg, String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
