package dev.tarn.standalone;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.admin.AdminConfig;
import dev.tarn.gateway.admin.AdminParts;
import dev.tarn.gateway.admin.AdminServer;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.auth.Credential;
import dev.tarn.gateway.auth.SignatureAuthenticator;
import dev.tarn.gateway.profile.ClusterProfile;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.s3.bucket.BucketDeletion;
import dev.tarn.gateway.s3.bucket.BucketEviction;
import dev.tarn.standalone.node.ProgramVersion;
import dev.tarn.standalone.node.StartFailure;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The admin listener of this process. It has its own event loop: probes are answered even when the
 * data path is busy.
 */
final class AdminListener implements AutoCloseable {
  private final AdminConfig config;
  private final Vertx vertx;
  private final AdminParts adminParts;
  private volatile boolean serving;

  AdminListener(
      Start start,
      ControlPlane control,
      ObjectTarget target,
      Scrubbing scrubbing,
      Supplier<NodeStatus> status,
      Supplier<Optional<URI>> s3,
      ClusterProfile profile,
      BooleanSupplier ready,
      Supplier<String> metrics) {
    this.config = start.config().admin();
    this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    this.adminParts =
        new AdminParts(
            ProgramVersion.text(),
            new SignatureAuthenticator(
                id -> Credential.find(control.state(), id), Addressing.PATH_STYLE),
            control,
            start.config().gateway().bucketDefaults(),
            new BucketDeletion(control, target, start.clock()),
            new BucketEviction(target),
            scrubbing,
            status,
            s3,
            profile,
            () -> serving && ready.getAsBoolean(),
            metrics,
            start.identities(),
            start.clock());
  }

  /** Starts to listen. Returns the URL. */
  URI start() throws StartFailure {
    try {
      AdminServer server = await(AdminServer.start(vertx, config, adminParts).toCompletionStage());
      return Listening.url("http", config.host(), server.port());
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String where = "admin listener cannot serve on " + config.host() + ":" + config.port();
      throw new StartFailure(
          Listening.explain(where + ": " + cause.getMessage(), "--admin-listen", cause), cause);
    }
  }

  /** From now on the readiness probe may succeed. */
  void serving() {
    serving = true;
  }

  /** From now on the readiness probe fails, while requests in flight finish. */
  void draining() {
    serving = false;
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Override
  public void close() {
    serving = false;
    await(vertx.close().toCompletionStage());
  }
}
