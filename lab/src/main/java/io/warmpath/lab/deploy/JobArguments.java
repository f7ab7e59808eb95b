package io.warmpath.lab.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Options of a job, as {@code --name value} or {@code --name=value}. */
public final class JobArguments {

  private static final String DASHES = "--";
  private static final String BROKERS = "bootstrap-servers";
  private static final String KAFKA = "kafka.";
  private static final String SUFFIX = "output-suffix";

  private final Map<String, String> values;

  private JobArguments(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads them; what each means, only the job knows.
   *
   * @throws IllegalArgumentException if one is no option or has no value, if there are no brokers
   *     among them, or if they are those of a trial
   */
  public static JobArguments parse(List<String> arguments) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!argument.startsWith(DASHES)) {
        throw new IllegalArgumentException(argument + ": not an option of the job");
      }
      int equals = argument.indexOf('=');
      if (equals < 0 && i + 1 == arguments.size()) {
        throw new IllegalArgumentException(argument + ": no value given");
      }
      String name = argument.substring(DASHES.length(), equals < 0 ? argument.length() : equals);
      values.put(name, equals < 0 ? arguments.get(++i) : argument.substring(equals + 1));
    }
    if (!values.containsKey(BROKERS)) {
      throw new IllegalArgumentException(
          "--bootstrap-servers: must be given to the job, after --: … -- --bootstrap-servers k:9092");
    }
    if (values.containsKey(SUFFIX)) {
      throw new IllegalArgumentException("--output-suffix: is the deployment's own");
    }
    return new JobArguments(values);
  }

  /** As a command line. */
  List<String> list() {
    List<String> list = new ArrayList<>();
    values.forEach((name, value) -> list.addAll(List.of(DASHES + name, value)));
    return list;
  }

  /** Those that may be shown: nothing about how to reach Kafka but where it is. */
  List<String> withoutSecrets() {
    return without(KAFKA).list();
  }

  /** These with the properties of Kafka clients of others. */
  JobArguments withSecretsOf(JobArguments others) {
    JobArguments all = without(KAFKA);
    others.values.forEach(
        (name, value) -> {
          if (name.startsWith(KAFKA)) {
            all.values.put(name, value);
          }
        });
    return all;
  }

  private JobArguments without(String prefix) {
    Map<String, String> left = new LinkedHashMap<>(values);
    left.keySet().removeIf(name -> name.startsWith(prefix));
    return new JobArguments(left);
  }

  /** The same for a candidate beside the running job. */
  JobArguments asTrial(String suffix) {
    return with(SUFFIX, suffix);
  }

  /** The same for a small broker that holds nothing. */
  JobArguments atEmptyBroker(String bootstrapServers) {
    JobArguments there = without(KAFKA).with(BROKERS, bootstrapServers);
    return values.containsKey("parallelism") ? there.with("parallelism", "1") : there;
  }

  private JobArguments with(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(name, value);
    return new JobArguments(changed);
  }

  /** The consumer group that the job commits its offsets under. */
  String group(DeployedJob job) {
    return values.getOrDefault("group-id", job.defaultGroup());
  }

  /**
   * Properties of Kafka clients.
   *
   * @param bootstrapServers brokers as they are reached from here; null for the job's own
   */
  Map<String, Object> kafka(String bootstrapServers) {
    Map<String, Object> properties = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(KAFKA)) {
            properties.put(name.substring(KAFKA.length()), value);
          }
        });
    properties.put(
        "bootstrap.servers", bootstrapServers == null ? values.get(BROKERS) : bootstrapServers);
    return properties;
  }
}
