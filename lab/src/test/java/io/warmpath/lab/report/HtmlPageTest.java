package io.warmpath.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.warmpath.lab.screen.Table;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class HtmlPageTest {

  private static final String HOSTILE = "<b onload=\"x\">'&' </title>";

  private static HtmlPage page(String text) {
    return new HtmlPage(text, text)
        .heading(text)
        .text(text)
        .figures(Map.of(text, text))
        .table(new Table().row(List.of(text, text)).row(List.of(text, text)))
        .checks(Map.of(text, true))
        .chart(
            text,
            new BarChart(text, text, 1, List.of(text, "b"))
                .group(text, List.of(BarChart.Value.of(3), new BarChart.Value(2.0, 1.0, 4.0))))
        .chart(text, StackChart.of(text, List.of(text, "b")).row(text, 1, 3))
        .chart(
            text,
            new LineChart(text, text).line(text, List.of(1.0, 2.0)).reference("r", List.of()));
  }

  @Test
  void whateverItShowsIsText() {
    String html = page(HOSTILE).html();
    assertFalse(html.contains("<b "), html);
    assertEquals(1, html.split("</title>\n<style>", -1).length - 1);
  }

  @Test
  void asksNoHostForAnything() {
    String html = page("x").html();
    assertFalse(
        Pattern.compile("https?:|//[a-z]|url\\(|@import|<script|src=").matcher(html).find());
    assertTrue(html.contains("default-src 'none'"));
  }

  @Test
  void itsPicturesAreWellFormed() throws Exception {
    for (Chart chart :
        List.of(
            new BarChart(HOSTILE, "", 0, List.of("a"))
                .group(HOSTILE, List.of(BarChart.Value.of(0))),
            StackChart.of(HOSTILE, List.of("a")).row(HOSTILE, 0),
            new LineChart(HOSTILE, HOSTILE))) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(chart.svg())));
    }
  }

  @Test
  void ticksAreRoundAndReachTheLargestValue() {
    assertEquals(List.of(0.0, 200.0, 400.0, 600.0, 800.0), Ticks.upTo(745).values());
    assertEquals("0.20", new Ticks(0.05, 0.5).text(0.2));
    assertEquals("1,500", new Ticks(500, 2_000).text(1_500));
  }

  @Property
  void everyBarEndsInsideThePicture(
      @ForAll @Size(min = 1, max = 5) List<@DoubleRange(min = 0, max = 1e9) Double> values) {
    BarChart chart = new BarChart("label", "", 0, List.of("one"));
    values.forEach(value -> chart.group("group", List.of(BarChart.Value.of(value))));
    Pattern.compile("x=\"([\\d.]+)\" y=\"[\\d.]+\" width=\"([\\d.]+)\"")
        .matcher(chart.svg())
        .results()
        .forEach(
            bar ->
                assertTrue(
                    Double.parseDouble(bar.group(1)) + Double.parseDouble(bar.group(2)) <= 631,
                    bar::group));
  }
}
