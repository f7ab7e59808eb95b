package io.warmpath.console.export;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The routers that there are. */
public final class RouterTargets {

  private RouterTargets() {}

  /** Envoy, which watches {@code file}. */
  public static RouterTarget envoy(ReplicaMap map, Path file) {
    return new FileTarget(new ReplacedFile(file), new EnvoyEndpoints(map.cluster()));
  }

  /**
   * nginx, which includes {@code file}.
   *
   * @param reload how it is told
   * @param interval least time between two reloads
   */
  public static RouterTarget nginx(
      ReplicaMap map, Path file, ReloadCommand reload, Duration interval) {
    FileTarget servers =
        new FileTarget(
            new ReplacedFile(file), new NginxServers(map.model(), map.serverParameters()));
    return new NginxTarget(servers, reload, interval.toMillis());
  }

  /** HAProxy at its runtime socket. */
  public static RouterTarget haproxy(HaproxySocket socket) {
    return new HaproxyTarget(socket);
  }

  /**
   * A Gateway API route, written to {@code file}.
   *
   * @throws IOException if the map's route cannot be read
   * @throws IllegalArgumentException if it is wrong
   */
  public static RouterTarget httpRoute(ReplicaMap map, Path file) throws IOException {
    return new FileTarget(new ReplacedFile(file), HttpRoute.load(map));
  }

  /** The same router, left alone: applications only say what they would give it. */
  public static RouterTarget dryRun(RouterTarget router) {
    return new DryRun(router);
  }
}
