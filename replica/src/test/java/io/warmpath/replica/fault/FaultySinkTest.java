package io.warmpath.replica.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.warmpath.replica.events.RecordingSink;
import io.warmpath.schemas.cache.CacheEvent;
import io.warmpath.schemas.cache.CacheEventBatch;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultySinkTest {

  private final RecordingSink target = new RecordingSink();
  private final Faults faults = new Faults();
  private final FaultySink sink = new FaultySink(target, faults.addStream());

  @Test
  void withoutFaultsAllArrivesInOrder() {
    send(3);
    assertArrived(0, 1, 2);
  }

  @Test
  void lostBatchLeavesItsNumberOut() throws JsonProcessingException {
    order("{\"lose_batches\":2}");
    send(4);
    assertArrived(2, 3);
    assertEquals(0, faults.loseBatches());
    assertEquals(0, sink.dropped());
  }

  @Test
  void duplicateComesRightAfterItsOriginal() throws JsonProcessingException {
    order("{\"duplicate_batches\":2}");
    send(3);
    assertArrived(0, 0, 1, 1, 2);
  }

  @Test
  void reorderedBatchComesAfterTheNextOne() throws JsonProcessingException {
    order("{\"reorder_batches\":2}");
    send(5);
    assertArrived(1, 0, 3, 2, 4);
  }

  @Test
  void heldBatchIsSentInTheEnd() throws JsonProcessingException {
    order("{\"reorder_batches\":1}");
    send(1);
    assertArrived();
    sink.close();
    assertArrived(0);
    assertTrue(target.closed);
  }

  private void order(String json) throws JsonProcessingException {
    faults.set(FaultOrder.reader().readValue(json));
  }

  private void send(int batches) {
    for (long seq = 0; seq < batches; seq++) {
      sink.send(
          new CacheEventBatch(
              1,
              "replica-0",
              "m",
              CacheEventBatch.Source.ENGINE,
              1,
              0,
              seq,
              null,
              List.of(new CacheEvent.Cleared())));
    }
  }

  private void assertArrived(long... numbers) {
    assertEquals(
        Arrays.stream(numbers).boxed().toList(),
        target.batches.stream().map(CacheEventBatch::seq).toList());
  }
}
