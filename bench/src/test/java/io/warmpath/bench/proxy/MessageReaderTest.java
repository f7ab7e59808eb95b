package io.warmpath.bench.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageReaderTest {

  private final StringBuilder body = new StringBuilder();
  private final List<String> messages = new ArrayList<>();
  private final MessageReader reader =
      new MessageReader(
          new MessageReader.Listener() {
            @Override
            public void body(byte[] bytes, int from, int to) {
              body.append(new String(bytes, from, to - from, US_ASCII));
            }

            @Override
            public void complete() {
              messages.add(reader().status() + " " + body);
              body.setLength(0);
            }
          });

  private MessageReader reader() {
    return reader;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1000})
  void readsMessagesHoweverTheyAreCut(int piece) throws IOException {
    String text =
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nserver: x\r\n\r\nhello"
            + "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "A\r\ndata: [DON\r\n3\r\nE]\n\r\n0\r\n\r\n"
            + "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\ntrailer: t\r\n\r\n";
    byte[] bytes = text.getBytes(US_ASCII);
    for (int from = 0; from < bytes.length; from += piece) {
      reader.read(bytes, from, Math.min(bytes.length, from + piece));
    }
    assertEquals(List.of("200 hello", "404 ", "200 data: [DONE]\n", "200 x"), messages);
  }

  @Test
  void failsAtWhatIsNoChunk() {
    byte[] bytes = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".getBytes(US_ASCII);
    assertThrows(IOException.class, () -> reader.read(bytes, 0, bytes.length));
  }

  @Test
  void failsAtAHeadWithoutEnd() {
    byte[] bytes = new byte[32 * 1024];
    assertThrows(IOException.class, () -> reader.read(bytes, 0, bytes.length));
  }
}
