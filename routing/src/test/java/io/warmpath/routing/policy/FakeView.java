package io.warmpath.routing.policy;

import java.util.Arrays;

/** A view of numbers set by hand; all replicas idle, empty, equal and available at first. */
final class FakeView implements RoutingView {

  final boolean[] available;
  final int[] cachedBlocks;
  final long[] uncachedTokens;
  final long[] storedBlocks;
  final int[] inFlight;
  final long[] backlogTokens;
  final long[] outstandingTokens;
  final double[] weights;
  final double[] interceptMicros;
  final double[] microsPerToken;
  int promptBlocks = 10;
  long session;

  FakeView(int replicas) {
    available = new boolean[replicas];
    Arrays.fill(available, true);
    cachedBlocks = new int[replicas];
    uncachedTokens = new long[replicas];
    storedBlocks = new long[replicas];
    inFlight = new int[replicas];
    backlogTokens = new long[replicas];
    outstandingTokens = new long[replicas];
    weights = new double[replicas];
    Arrays.fill(weights, 1);
    interceptMicros = new double[replicas];
    microsPerToken = new double[replicas];
    Arrays.fill(microsPerToken, 50);
  }

  FakeView cached(int... blocks) {
    System.arraycopy(blocks, 0, cachedBlocks, 0, blocks.length);
    for (int i = 0; i < blocks.length; i++) {
      uncachedTokens[i] = 16L * (promptBlocks - blocks[i]);
    }
    return this;
  }

  FakeView open(int... requests) {
    System.arraycopy(requests, 0, inFlight, 0, requests.length);
    return this;
  }

  FakeView outstanding(long... tokens) {
    System.arraycopy(tokens, 0, outstandingTokens, 0, tokens.length);
    return this;
  }

  FakeView weights(double... values) {
    System.arraycopy(values, 0, weights, 0, values.length);
    return this;
  }

  FakeView down(int... replicas) {
    for (int replica : replicas) {
      available[replica] = false;
    }
    return this;
  }

  @Override
  public int replicas() {
    return available.length;
  }

  @Override
  public boolean available(int replica) {
    return available[replica];
  }

  @Override
  public int promptBlocks() {
    return promptBlocks;
  }

  @Override
  public int cachedBlocks(int replica) {
    return cachedBlocks[replica];
  }

  @Override
  public long uncachedTokens(int replica) {
    return uncachedTokens[replica];
  }

  @Override
  public long storedBlocks(int replica) {
    return storedBlocks[replica];
  }

  @Override
  public int inFlight(int replica) {
    return inFlight[replica];
  }

  @Override
  public long backlogTokens(int replica) {
    return backlogTokens[replica];
  }

  @Override
  public long outstandingTokens(int replica) {
    return outstandingTokens[replica];
  }

  @Override
  public double weight(int replica) {
    return weights[replica];
  }

  @Override
  public double interceptMicros(int replica) {
    return interceptMicros[replica];
  }

  @Override
  public double microsPerToken(int replica) {
    return microsPerToken[replica];
  }

  @Override
  public double backlogShare() {
    return 0.15;
  }

  @Override
  public long session() {
    return session;
  }
}
