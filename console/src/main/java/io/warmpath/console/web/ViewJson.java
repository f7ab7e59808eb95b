package io.warmpath.console.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.warmpath.console.source.ResultSource;
import io.warmpath.console.state.ConsoleView;
import java.io.UncheckedIOException;
import java.util.Locale;

/** The page's figures as JSON, in snake case like every record of Warmpath. */
final class ViewJson {

  private record Envelope(String source, ConsoleView view) {}

  private static final ObjectWriter WRITER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .build()
          .writer();

  private ViewJson() {}

  /** {@code {"source": how the source is, "view": …}} on one line. */
  static String of(ResultSource.Status source, ConsoleView view) {
    try {
      return WRITER.writeValueAsString(new Envelope(source.name().toLowerCase(Locale.ROOT), view));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot encode the console's view", e);
    }
  }
}
