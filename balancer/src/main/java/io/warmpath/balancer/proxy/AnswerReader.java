package io.warmpath.balancer.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.warmpath.balancer.sse.TokenUsage;

/** Reads the body of an answer while it passes. */
interface AnswerReader {

  /** Takes bytes, which it releases or gives back, and gives back those to forward now. */
  ByteBuf read(ByteBuf in, ByteBufAllocator allocator);

  /** The body is complete: gives back what is left to forward. */
  ByteBuf finish();

  /** The body broke off: releases what is held back. */
  void abandon();

  /** Usage that the body told. */
  TokenUsage usage();

  /** Chunks with generated tokens. */
  long tokenChunks();

  /** Whether enough was read to tell an answer from an error; bytes before that may be held. */
  boolean begun();

  /** Whether the body tells of an error, whatever the status says. */
  boolean error();

  /** Whether the body says itself that it is complete. */
  boolean saysDone();

  /** How an answer that broke off is ended for the client; null if only closing is left. */
  ByteBuf errorEvent(String json);
}
