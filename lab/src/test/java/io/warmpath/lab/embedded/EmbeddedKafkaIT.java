package io.warmpath.lab.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {

  @Test
  void whatAFolderHeldIsThereAgain(@TempDir Path folder) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(0, folder);
        Admin admin = admin(kafka)) {
      admin.createTopics(List.of(new NewTopic("kept", 1, (short) 1))).all().get();
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start(0, folder);
        Admin admin = admin(kafka)) {
      assertEquals(Set.of("kept"), admin.listTopics().names().get());
    }
  }

  @Test
  void aTakenPortIsNamed() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(0)) {
      IllegalStateException refusal =
          assertThrows(IllegalStateException.class, () -> EmbeddedKafka.start(kafka.port()));
      assertTrue(
          refusal.getMessage().startsWith("Kafka cannot start on 127.0.0.1:" + kafka.port()),
          refusal.getMessage());
    }
  }

  private static Admin admin(EmbeddedKafka kafka) {
    return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }
}
