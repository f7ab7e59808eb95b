package io.warmpath.console.export;

/** A router that is left alone: what it would be given is only shown. */
final class DryRun implements RouterTarget {

  private final RouterTarget router;

  DryRun(RouterTarget router) {
    this.router = router;
  }

  @Override
  public WeightScale scale() {
    return router.scale();
  }

  @Override
  public String render(RouterWeights weights) {
    return router.render(weights);
  }

  @Override
  public boolean apply(RouterWeights weights, long nowMs) {
    return true;
  }

  @Override
  public boolean holds(RouterWeights applied) {
    return true;
  }
}
