package io.warmpath.lab.report;

import io.warmpath.lab.screen.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A report as one file of HTML that stands alone: its style is in it, and its own policy forbids it
 * to ask for anything else. All text that is given to it is text, never markup.
 */
public final class HtmlPage {

  private final StringBuilder body = new StringBuilder();
  private final String title;

  /**
   * An empty page.
   *
   * @param subtitle what was run, and when
   */
  public HtmlPage(String title, String subtitle) {
    this.title = title;
    body.append("<header><h1>").append(Markup.escape(title)).append("</h1>\n");
    body.append("<p class=\"quiet\">").append(Markup.escape(subtitle)).append("</p></header>\n");
  }

  /** Begins a section. */
  public HtmlPage heading(String text) {
    body.append("<h2>").append(Markup.escape(text)).append("</h2>\n");
    return this;
  }

  /** A paragraph. */
  public HtmlPage text(String text) {
    body.append("<p>").append(Markup.escape(text)).append("</p>\n");
    return this;
  }

  /** The few figures that matter, by name. */
  public HtmlPage figures(Map<String, String> figures) {
    body.append("<dl class=\"figures\">\n");
    figures.forEach(
        (name, figure) ->
            body.append("<div><dt>")
                .append(Markup.escape(name))
                .append("</dt><dd>")
                .append(Markup.escape(figure))
                .append("</dd></div>\n"));
    body.append("</dl>\n");
    return this;
  }

  /** A chart under its caption. */
  public HtmlPage chart(String caption, Chart chart) {
    body.append("<figure><figcaption>").append(Markup.escape(caption)).append("</figcaption>\n");
    List<Chart.Key> keys = chart.legend();
    if (!keys.isEmpty()) {
      body.append("<ul class=\"legend\">");
      for (Chart.Key key : keys) {
        body.append("<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"f")
            .append(key.colour())
            .append("\" width=\"10\" height=\"10\"/></svg>")
            .append(Markup.escape(key.name()))
            .append("</li>");
      }
      body.append("</ul>\n");
    }
    body.append(chart.svg()).append("</figure>\n");
    return this;
  }

  /** A table; its first row is the head. */
  public HtmlPage table(Table table) {
    body.append("<div class=\"table\"><table>\n");
    List<List<String>> rows = table.rows();
    for (int i = 0; i < rows.size(); i++) {
      body.append(i == 0 ? "<thead>" : i == 1 ? "<tbody>" : "").append("<tr>");
      for (int j = 0; j < rows.get(i).size(); j++) {
        String cell = Markup.escape(rows.get(i).get(j));
        body.append(
            i == 0
                ? "<th scope=\"col\">" + cell + "</th>"
                : j == 0 ? "<th scope=\"row\">" + cell + "</th>" : "<td>" + cell + "</td>");
      }
      body.append("</tr>").append(i == 0 ? "</thead>" : "").append('\n');
    }
    body.append(rows.size() > 1 ? "</tbody>" : "").append("</table></div>\n");
    return this;
  }

  /**
   * Claims, and whether they held.
   *
   * @param held by claim
   */
  public HtmlPage checks(Map<String, Boolean> held) {
    body.append("<ul class=\"checks\">\n");
    held.forEach(
        (claim, holds) ->
            body.append("<li><span class=\"")
                .append(holds ? "yes\">yes" : "no\">no")
                .append("</span> ")
                .append(Markup.escape(claim))
                .append("</li>\n"));
    body.append("</ul>\n");
    return this;
  }

  /** The page. */
  public String html() {
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    <title>%s</title>
    <style>
    %s</style>
    </head>
    <body>
    %s<footer>Made by warmpath. Nothing on this page is fetched from anywhere.</footer>
    </body>
    </html>
    """
        .formatted(Markup.escape(title), style(), body);
  }

  /** Writes the page, in place of what the file held. */
  public void write(Path file) throws IOException {
    Files.writeString(file, html());
  }

  private static String style() {
    try (InputStream css = HtmlPage.class.getResourceAsStream("/report/report.css")) {
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("report.css", e);
    }
  }
}
