package io.warmpath.bridge.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageInsufficientBufferException;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/**
 * Decodes messages: MessagePack in which both the batch and each event are an array (vLLM before
 * 0.26, SGLang) or a map (vLLM since, TensorRT-LLM behind Dynamo). An event that is not understood
 * is counted and the rest of its batch kept. For one thread.
 */
public final class BatchDecoder {

  private static final int MAX_EVENTS = 1 << 16;
  private static final int MAX_RANK = 1 << 16;

  private byte[] payload;
  private int start;
  private MessageUnpacker in;
  private FieldReader fields;
  private double timeSeconds;
  private int rank;
  private List<EngineEvent> events;
  private int unknownEvents;
  private int malformedEvents;
  private int unknownFields;

  /**
   * Decodes one message.
   *
   * @throws MalformedBatchException if it is no batch of events
   */
  public EngineBatch decode(byte[] message) throws MalformedBatchException {
    payload = message;
    timeSeconds = Double.NaN;
    rank = EngineBatch.NO_RANK;
    events = null;
    unknownEvents = 0;
    malformedEvents = 0;
    unknownFields = 0;
    startAt(0);
    try {
      readBatch();
    } catch (MessagePackException | MalformedEventException | IOException e) {
      throw new MalformedBatchException("no batch of events: " + e.getMessage(), e);
    }
    if (events == null) {
      throw new MalformedBatchException("no events", null);
    }
    return new EngineBatch(
        timeSeconds, rank, events, unknownEvents, malformedEvents, unknownFields);
  }

  private void startAt(int offset) {
    start = offset;
    in = MessagePack.newDefaultUnpacker(payload, offset, payload.length - offset);
    fields = new FieldReader(in, payload.length);
  }

  private void readBatch() throws IOException {
    if (in.getNextFormat().getValueType() == ValueType.MAP) {
      for (int left = in.unpackMapHeader(); left > 0; left--) {
        readBatchField(fields.name());
      }
      return;
    }
    int size = in.unpackArrayHeader();
    for (int i = 0; i < size; i++) {
      readBatchField(
          switch (i) {
            case 0 -> "ts";
            case 1 -> "events";
            case 2 -> "data_parallel_rank";
            default -> "";
          });
    }
  }

  private void readBatchField(String name) throws IOException {
    switch (name) {
      case "ts" -> timeSeconds = time();
      case "events" -> readEvents();
      case "data_parallel_rank" -> {
        if (!fields.isNil()) {
          rank = fields.number(0, MAX_RANK);
        }
      }
      default -> {
        unknownFields++;
        in.skipValue();
      }
    }
  }

  private double time() throws IOException {
    return in.getNextFormat().getValueType() == ValueType.FLOAT
        ? in.unpackDouble()
        : fields.wholeNumber();
  }

  private void readEvents() throws IOException {
    int size = in.unpackArrayHeader();
    if (size > MAX_EVENTS) {
      throw new MalformedEventException(size + " events");
    }
    events = new ArrayList<>(Math.min(size, payload.length));
    for (int i = 0; i < size; i++) {
      int eventStart = start + (int) in.getTotalReadBytes();
      try {
        readEvent();
      } catch (MessageInsufficientBufferException e) {
        // The message ends inside the event.
        throw e;
      } catch (MessagePackException | MalformedEventException e) {
        malformedEvents++;
        startAt(eventStart);
        in.skipValue();
      }
    }
  }

  private void readEvent() throws IOException {
    EngineEvent event =
        in.getNextFormat().getValueType() == ValueType.MAP ? namedFields() : placedFields();
    if (event == null) {
      unknownEvents++;
    } else {
      events.add(event);
    }
  }

  /** An event as an array; null for one of an unknown type. */
  private EngineEvent placedFields() throws IOException {
    int size = in.unpackArrayHeader();
    if (size == 0) {
      throw new MalformedEventException("no type");
    }
    String type = fields.name();
    if (!EventFields.knows(type)) {
      in.skipValue(size - 1);
      return null;
    }
    EventFields.requirePlaces(type, size - 1);
    EventFields read = new EventFields();
    for (int i = 0; i < size - 1; i++) {
      String name = EventFields.nameAt(type, i);
      if (name == null || !read.read(name, fields)) {
        skipField();
      }
    }
    return read.event(type);
  }

  /** An event as a map; null for one of an unknown type. */
  private EngineEvent namedFields() throws IOException {
    int size = in.unpackMapHeader();
    EventFields read = new EventFields();
    String type = null;
    for (int i = 0; i < size; i++) {
      String name = fields.name();
      if (name.equals("type")) {
        type = fields.name();
        if (!EventFields.knows(type)) {
          in.skipValue(2 * (size - i - 1));
          return null;
        }
      } else if (!read.read(name, fields)) {
        skipField();
      }
    }
    if (type == null) {
      throw new MalformedEventException("no type");
    }
    return read.event(type);
  }

  private void skipField() throws IOException {
    unknownFields++;
    in.skipValue();
  }
}
