package io.warmpath.balancer.proxy;

import io.warmpath.balancer.request.RequestParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The models that are served, by name. */
final class Models {

  private final Map<String, ServedModel> byName = new LinkedHashMap<>();
  private final ServedModel first;
  private final UnknownModel unknown;

  Models(List<ServedModel> models, UnknownModel unknown) {
    models.forEach(model -> byName.put(model.router().model(), model));
    this.first = models.get(0);
    this.unknown = unknown;
  }

  /** The same where requests for others are treated in another way. */
  Models with(UnknownModel others) {
    return new Models(List.copyOf(byName.values()), others);
  }

  /** The model of that name, or what stands in for it; null if there is none. */
  ServedModel find(String name) {
    ServedModel known = name == null ? null : byName.get(name);
    return known != null || unknown == UnknownModel.REFUSE ? known : first;
  }

  /** A parser of requests for them. */
  RequestParser parser(int maxBodyBytes) {
    return byName.values().stream().anyMatch(model -> model.engine() != null)
        ? RequestParser.keepingParts(maxBodyBytes)
        : new RequestParser(maxBodyBytes);
  }

  /** The model that was configured first. */
  ServedModel first() {
    return first;
  }
}
