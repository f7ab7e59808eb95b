package io.warmpath.replica.cuda;

/**
 * Heads of an attention layer.
 *
 * @param query query heads, a multiple of {@code kv}
 * @param kv heads of keys and values
 * @param dim dimensions of a head, even
 */
record Heads(int query, int kv, int dim) {

  /** Numbers of a row that holds queries, keys and values. */
  int qkvWidth() {
    return (query + 2 * kv) * dim;
  }

  /** Numbers of a row of attention's output. */
  int outWidth() {
    return query * dim;
  }

  /** Numbers of a token's keys, and of its values. */
  int kvWidth() {
    return kv * dim;
  }
}
