package io.warmpath.lab.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import io.warmpath.lab.verify.RowKey;
import io.warmpath.schemas.topic.Topics;
import java.util.Optional;

/** Topics whose records are results of windows, and how such a record is read. */
enum ResultTopic {
  ROUTING_STATS(Topics.ROUTING_STATS) {
    @Override
    Optional<ResultRow> row(String key, JsonNode value) {
      if (value.path("provisional").asBoolean()) {
        return Optional.empty();
      }
      RowKey row = RowKey.parse(key);
      return Optional.of(
          new ResultRow(row.model() + ", " + row.sizeMs() / 1000 + " s", key, row.endMs()));
    }
  },
  SHADOW_STATS(Topics.SHADOW_STATS) {
    @Override
    Optional<ResultRow> row(String key, JsonNode value) {
      return Optional.of(
          new ResultRow(
              value.path("model").asText(), key, value.path("window_end_ms").longValue()));
    }
  },
  WEIGHT_DECISIONS(Topics.WEIGHT_DECISIONS) {
    @Override
    Optional<ResultRow> row(String key, JsonNode value) {
      return byEpoch(key, value);
    }
  },
  ROUTING_WEIGHTS(Topics.ROUTING_WEIGHTS) {
    @Override
    Optional<ResultRow> row(String key, JsonNode value) {
      return byEpoch(key, value);
    }
  };

  private final String topic;

  ResultTopic(String topic) {
    this.topic = topic;
  }

  String topic() {
    return topic;
  }

  /**
   * Reads a record.
   *
   * @return empty if it is none that stays
   * @throws IllegalArgumentException if its key is none of the topic's
   */
  abstract Optional<ResultRow> row(String key, JsonNode value);

  private static Optional<ResultRow> byEpoch(String model, JsonNode value) {
    long epoch = value.path("epoch").longValue();
    return Optional.of(new ResultRow(model, model + "|" + epoch, epoch));
  }
}
