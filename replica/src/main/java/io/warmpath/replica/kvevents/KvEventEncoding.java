package io.warmpath.replica.kvevents;

import java.util.Locale;

/** How batches and events are laid out. vLLM had all of these, one after another. */
public enum KvEventEncoding {
  /** Both as arrays, an event with its name first: msgspec's {@code array_like}. */
  ARRAY(Layout.ARRAY, Layout.ARRAY),
  /** The batch as an array, events as maps. */
  MIXED(Layout.ARRAY, Layout.MAP),
  /** Both as maps. */
  MAP(Layout.MAP, Layout.MAP);

  enum Layout {
    ARRAY,
    MAP
  }

  final Layout batch;
  final Layout event;

  KvEventEncoding(Layout batch, Layout event) {
    this.batch = batch;
    this.event = event;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
