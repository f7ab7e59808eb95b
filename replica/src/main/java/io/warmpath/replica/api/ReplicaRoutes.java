package io.warmpath.replica.api;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which path does what, and how errors look. */
public final class ReplicaRoutes {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaRoutes.class);

  private ReplicaRoutes() {}

  /** The routes. */
  public static Router of(
      Vertx vertx, int maxBodyBytes, GenerationApi generation, AdminApi admin, FaultsApi faults) {
    Router router = Router.router(vertx);
    router.post("/v1/chat/completions").handler(new BodyReader(maxBodyBytes, generation::chat));
    router.post("/v1/completions").handler(new BodyReader(maxBodyBytes, generation::complete));
    router.post("/tokenize").handler(new BodyReader(maxBodyBytes, generation::tokenize));
    router.get("/v1/models").handler(admin::models);
    router.get("/health").handler(admin::health);
    router.get("/metrics").handler(admin::metrics);
    router.post("/reset_prefix_cache").handler(admin::resetPrefixCache);
    router.get("/admin/speed").handler(admin::speed);
    router.post("/admin/speed").handler(new BodyReader(maxBodyBytes, admin::setSpeed));
    router.get("/admin/faults").handler(faults::show);
    router.post("/admin/faults").handler(new BodyReader(maxBodyBytes, faults::set));
    router.route().failureHandler(ReplicaRoutes::fail);
    router.errorHandler(404, context -> refuse(context, ApiException.of(404, "no such path")));
    router.errorHandler(405, context -> refuse(context, ApiException.of(405, "wrong method")));
    return router;
  }

  private static void fail(RoutingContext context) {
    Throwable failure = context.failure();
    if (failure instanceof ApiException refusal) {
      refuse(context, refusal);
    } else if (failure instanceof HttpException || context.statusCode() < 500) {
      context.next();
    } else {
      LOG.error("{} {} failed", context.request().method(), context.request().path(), failure);
      refuse(context, ApiException.of(500, "internal error"));
    }
  }

  private static void refuse(RoutingContext context, ApiException refusal) {
    if (context.response().headWritten()) {
      context.response().reset();
      return;
    }
    context
        .response()
        .setStatusCode(refusal.status())
        .putHeader("content-type", "application/json")
        .end(refusal.json());
  }
}
