package io.warmpath.routing.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class OpenRequestsTest {

  private final OpenRequests open = new OpenRequests(2);

  @Test
  void aRequestIsBacklogUntilItsFirstTokenAndLoadUntilItsEnd() {
    open.add(100, 200, 30, 7);
    assertLoad(open, 1, 30, 37);
    open.advance(99);
    assertLoad(open, 1, 30, 37);
    open.advance(100);
    assertLoad(open, 1, 0, 37);
    open.advance(200);
    assertLoad(open, 0, 0, 0);
  }

  @Test
  void beyondTheBoundThoseThatEndFirstCountAsEnded() {
    open.add(100, 900, 1, 10);
    open.add(200, 300, 2, 20);
    open.add(300, 800, 3, 30);
    assertLoad(open, 2, 5, 44);
  }

  @Test
  void whatWasWrittenGoesOnTheSame() throws IOException {
    open.add(100, 900, 1, 10);
    open.add(200, 300, 2, 20);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    open.writeTo(new DataOutputStream(bytes));
    OpenRequests read = new OpenRequests(2);
    read.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertLoad(read, 2, 3, 33);
    read.advance(300);
    assertLoad(read, 1, 0, 11);
  }

  private static void assertLoad(OpenRequests open, int count, long backlog, long outstanding) {
    assertEquals(count, open.count());
    assertEquals(backlog, open.backlogTokens());
    assertEquals(outstanding, open.outstandingTokens());
  }
}
