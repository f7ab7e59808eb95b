package io.warmpath.lab.verify;

import io.warmpath.jobs.request.RequestForm;
import io.warmpath.jobs.source.JsonForm;
import io.warmpath.jobs.source.RecordForm;
import io.warmpath.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The stats job's topics, up to where they stood at one time.
 *
 * @param replayed what is replayed of each topic
 * @param ends where each topic ended
 */
record EventLog(Map<String, Stretch> replayed, Map<String, Map<TopicPartition, Long>> ends) {

  static final List<String> TOPICS =
      List.of(Topics.REQUESTS, Topics.CACHE_EVENTS, Topics.REPLICA_TELEMETRY);

  /** How each topic is read. */
  static final Map<String, RecordForm<?>> FORMS =
      Map.of(
          Topics.REQUESTS, RequestForm.FIGURES,
          Topics.CACHE_EVENTS, JsonForm.CACHE_EVENTS,
          Topics.REPLICA_TELEMETRY, JsonForm.TELEMETRY);

  /** Looks where the topics begin and end. */
  static EventLog of(KafkaLog kafka, OptionalLong fromMs, OptionalLong toMs) {
    Map<String, Map<TopicPartition, Long>> ends =
        TOPICS.stream().collect(Collectors.toMap(topic -> topic, kafka::ends));
    Map<String, Stretch> replayed =
        TOPICS.stream()
            .collect(
                Collectors.toMap(
                    topic -> topic,
                    topic -> {
                      Stretch whole = kafka.stretch(topic, fromMs, ends.get(topic));
                      return toMs.isPresent()
                          ? whole.upTo(kafka.at(topic, toMs.getAsLong(), ends.get(topic)))
                          : whole;
                    }));
    return new EventLog(replayed, ends);
  }

  /** What is replayed of a topic, and all that came after it. */
  Stretch withWhatFollows(Stretch stretch) {
    return stretch.upTo(ends.get(stretch.topic()));
  }

  /** Offsets to replay, over all topics. */
  long offsets() {
    return replayed.values().stream().mapToLong(Stretch::offsets).sum();
  }
}
