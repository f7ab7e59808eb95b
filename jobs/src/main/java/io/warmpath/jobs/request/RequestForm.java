package io.warmpath.jobs.request;

import io.warmpath.jobs.source.RecordForm;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Request events, of which only what is counted is read. */
public enum RequestForm implements RecordForm<RequestFigures> {
  FIGURES;

  @Override
  public Reader<RequestFigures> reader() {
    return new RequestReader()::read;
  }

  @Override
  public TypeSerializer<RequestFigures> serializer() {
    return new RequestFiguresSerializer();
  }

  @Override
  public long eventTimeMs(RequestFigures figures) {
    return figures.eventTimeMs();
  }
}
