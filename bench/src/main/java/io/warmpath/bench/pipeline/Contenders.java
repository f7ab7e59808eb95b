package io.warmpath.bench.pipeline;

import io.warmpath.bench.contender.Contender;
import io.warmpath.bench.contender.ContenderKind;
import io.warmpath.bench.contender.PlainConsumer;
import io.warmpath.bench.contender.Setup;
import io.warmpath.bench.flink.FlinkContender;
import io.warmpath.bench.streams.StreamsProgram;
import java.nio.file.Path;

/** Starts contenders. */
final class Contenders {

  private Contenders() {}

  /** Starts one in this process; {@code folder} is for its files. */
  static Contender start(ContenderKind kind, Setup setup, Path folder) {
    return switch (kind) {
      case PLAIN_CONSUMER -> PlainConsumer.start(setup);
      case FLINK_SOURCE -> FlinkContender.sourceToNothing(setup);
      case STATS -> FlinkContender.statsJob(setup);
      case STATS_NO_DUPLICATES -> FlinkContender.statsJob(setup, "--duplicate-memory", "0s");
      case FLINK_SQL -> FlinkContender.sqlQuery(setup);
      case KAFKA_STREAMS -> StreamsProgram.start(setup, folder);
    };
  }
}
