package io.warmpath.lab.dashboards;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A dashboard in the form that Grafana provisions, schema version 39 (Grafana 10 and later). */
final class GrafanaDashboard {

  private static final int COLUMNS = 24;
  private static final int SCHEMA_VERSION = 39;
  private static final Map<String, Object> SOURCE =
      ordered("type", "prometheus", "uid", "${datasource}");
  private static final ObjectWriter JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writer();

  private final DashboardSource source;
  private final List<Map<String, Object>> panels = new ArrayList<>();
  private int x;
  private int y;
  private int rowHeight;

  private GrafanaDashboard(DashboardSource source) {
    this.source = source;
  }

  /** The file's text. */
  static String json(DashboardSource source) {
    try {
      return JSON.writeValueAsString(new GrafanaDashboard(source).dashboard()) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private Map<String, Object> dashboard() {
    for (DashboardSource.Row row : source.rows()) {
      heading(row.title());
      row.panels().forEach(this::place);
      nextLine();
    }
    return ordered(
        "uid", source.uid(),
        "title", source.title(),
        "description", source.about(),
        "tags", List.of("warmpath", "llm", "inference"),
        "schemaVersion", SCHEMA_VERSION,
        "version", 1,
        "editable", true,
        "graphTooltip", 1,
        "refresh", "5s",
        "time", ordered("from", "now-15m", "to", "now"),
        "timezone", "browser",
        "templating",
            ordered("list", source.variables().stream().map(GrafanaDashboard::variable).toList()),
        "annotations", ordered("list", List.of()),
        "links", List.of(links()),
        "panels", panels);
  }

  /** The other dashboards, with what is chosen here. */
  private static Map<String, Object> links() {
    return ordered(
        "type",
        "dashboards",
        "title",
        "Warmpath",
        "tags",
        List.of("warmpath"),
        "asDropdown",
        false,
        "includeVars",
        true,
        "keepTime",
        true);
  }

  private static Map<String, Object> variable(Variable variable) {
    Map<String, Object> json = new LinkedHashMap<>();
    boolean isSource = variable.name().equals(Variable.DATA_SOURCE);
    json.put("type", isSource ? "datasource" : variable.query() == null ? "custom" : "query");
    json.put("name", variable.name());
    json.put("label", variable.label());
    if (isSource) {
      json.put("query", "prometheus");
      json.put("current", Map.of());
    } else if (variable.query() == null) {
      json.put("query", String.join(",", variable.values()));
      json.put("current", choice(variable.preferred()));
      json.put("options", variable.values().stream().map(v -> option(variable, v)).toList());
    } else {
      json.put("datasource", SOURCE);
      json.put("query", ordered("query", variable.query(), "refId", variable.name()));
      json.put("refresh", 2);
      json.put("sort", 7);
      json.put("regex", "");
      json.put("multi", variable.many());
      json.put("includeAll", variable.many());
      if (variable.many()) {
        json.put("current", ordered("text", List.of("All"), "value", List.of("$__all")));
      } else if (variable.preferred() != null) {
        json.put("current", choice(variable.preferred()));
      }
    }
    return json;
  }

  private static Map<String, Object> choice(String value) {
    return ordered("text", value, "value", value);
  }

  private static Map<String, Object> option(Variable variable, String value) {
    return ordered("text", value, "value", value, "selected", value.equals(variable.preferred()));
  }

  private void heading(String title) {
    panels.add(
        ordered(
            "id",
            panels.size() + 1,
            "type",
            "row",
            "title",
            title,
            "collapsed",
            false,
            "gridPos",
            ordered("x", 0, "y", y, "w", COLUMNS, "h", 1),
            "panels",
            List.of()));
    y++;
  }

  private void place(Panel panel) {
    if (x + panel.width() > COLUMNS) {
      nextLine();
    }
    int height = panel.show() == Panel.Show.STAT ? 4 : 8;
    panels.add(
        ordered(
            "id", panels.size() + 1,
            "type", type(panel.show()),
            "title", panel.title(),
            "description", panel.about(),
            "datasource", SOURCE,
            "gridPos", ordered("x", x, "y", y, "w", panel.width(), "h", height),
            "targets", targets(panel),
            "fieldConfig", fieldConfig(panel),
            "options", options(panel.show())));
    x += panel.width();
    rowHeight = Math.max(rowHeight, height);
  }

  private void nextLine() {
    x = 0;
    y += rowHeight;
    rowHeight = 0;
  }

  private static String type(Panel.Show show) {
    return switch (show) {
      case LINES, SHARES -> "timeseries";
      case STAT -> "stat";
      case BARS -> "bargauge";
      case STATES -> "state-timeline";
    };
  }

  private static List<Map<String, Object>> targets(Panel panel) {
    List<Map<String, Object>> targets = new ArrayList<>();
    for (Query query : panel.queries()) {
      targets.add(
          ordered(
              "refId", String.valueOf((char) ('A' + targets.size())),
              "datasource", SOURCE,
              "expr", query.expression(),
              "legendFormat", query.legend()));
    }
    return targets;
  }

  private Map<String, Object> fieldConfig(Panel panel) {
    Map<String, Object> defaults = new LinkedHashMap<>();
    defaults.put("unit", panel.unit());
    defaults.put("noValue", panel.empty());
    if (panel.range() == Panel.Range.NOT_NEGATIVE) {
      defaults.put("min", 0);
    }
    if (panel.show() == Panel.Show.LINES || panel.show() == Panel.Show.SHARES) {
      defaults.put("custom", line(panel.show()));
    }
    if (panel.range() == Panel.Range.SIGNED) {
      defaults.put("thresholds", thresholds("red", "green"));
    } else if (panel.show() == Panel.Show.STATES) {
      defaults.put("custom", ordered("fillOpacity", 70, "lineWidth", 0, "spanNulls", false));
    }
    List<Map<String, Object>> overrides = new ArrayList<>();
    if (panel.show() == Panel.Show.SHARES) {
      source.colours().forEach((name, colour) -> overrides.add(colour(name, colour)));
    }
    return ordered("defaults", defaults, "overrides", overrides);
  }

  private static Map<String, Object> line(Panel.Show show) {
    boolean stacked = show == Panel.Show.SHARES;
    Map<String, Object> line =
        ordered(
            "drawStyle",
            "line",
            "lineWidth",
            stacked ? 1 : 2,
            "fillOpacity",
            stacked ? 70 : 0,
            "showPoints",
            "never",
            // A gap is time without traffic, which no line may hide.
            "spanNulls",
            false);
    if (stacked) {
      line.put("stacking", ordered("mode", "percent", "group", "A"));
    }
    return line;
  }

  private static Map<String, Object> thresholds(String below, String from) {
    List<Map<String, Object>> steps = new ArrayList<>();
    steps.add(ordered("color", below, "value", null));
    steps.add(ordered("color", from, "value", 0));
    return ordered("mode", "absolute", "steps", steps);
  }

  private static Map<String, Object> colour(String name, String colour) {
    return ordered(
        "matcher", ordered("id", "byName", "options", name),
        "properties",
            List.of(
                ordered("id", "color", "value", ordered("mode", "fixed", "fixedColor", colour))));
  }

  private static Map<String, Object> options(Panel.Show show) {
    return switch (show) {
      case LINES, SHARES ->
          ordered(
              "legend", ordered("displayMode", "list", "placement", "bottom", "showLegend", true),
              "tooltip", ordered("mode", "multi", "sort", "desc"));
      case STAT ->
          ordered(
              "colorMode", "none",
              "graphMode", "area",
              "reduceOptions", newest());
      case BARS ->
          ordered(
              "displayMode", "basic",
              "orientation", "horizontal",
              "reduceOptions", newest());
      case STATES -> ordered("mergeValues", true, "showValue", "auto", "rowHeight", 0.8);
    };
  }

  private static Map<String, Object> newest() {
    return ordered("calcs", List.of("lastNotNull"), "values", false, "fields", "");
  }

  private static Map<String, Object> ordered(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
