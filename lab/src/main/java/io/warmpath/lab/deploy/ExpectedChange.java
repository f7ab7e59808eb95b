package io.warmpath.lab.deploy;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Fields that may differ.
 *
 * @param fields their paths, such as {@code ttft.p95_us}; all below one may differ too
 */
public record ExpectedChange(List<String> fields) implements Predicate<String> {

  private static final Pattern FIELD = Pattern.compile("[a-z0-9_]{1,64}(\\.[a-z0-9_]{1,64}){0,8}");

  public ExpectedChange {
    fields = List.copyOf(fields);
    for (String field : fields) {
      if (!FIELD.matcher(field).matches()) {
        throw new IllegalArgumentException(
            "--expect-change: '" + field + "' is no path of a field, such as ttft.p95_us");
      }
    }
  }

  @Override
  public boolean test(String path) {
    return fields.stream().anyMatch(field -> path.equals(field) || path.startsWith(field + "."));
  }
}
