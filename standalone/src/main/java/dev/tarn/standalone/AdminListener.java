package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.admin.AdminConfig;
import dev.tarn.gateway.admin.AdminParts;
import dev.tarn.gateway.admin.AdminServer;
import dev.tarn.gateway.admin.Identities;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.auth.CredentialSource;
import dev.tarn.gateway.auth.SignatureAuthenticator;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.standalone.command.ProgramVersion;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.StartFailure;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The admin listener and what it shows of the parts around it. It has an event loop of its own, so
 * that a probe is answered whatever the data path does.
 */
final class AdminListener implements AutoCloseable {
  private final TarnConfig config;
  private final Vertx vertx;
  private final AdminParts adminParts;
  private volatile boolean serving;

  AdminListener(
      TarnConfig config,
      ControlPlane control,
      ObjectTarget target,
      Targets targets,
      Supplier<String> metrics,
      Identities identities,
      InstantSource clock) {
    this.config = requireNonNull(config, "config is null");
    this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    this.adminParts =
        new AdminParts(
            ProgramVersion.text(),
            new SignatureAuthenticator(CredentialSource.of(control::state), Addressing.PATH_STYLE),
            control,
            config.gateway().bucketDefaults(),
            bucket -> isEmpty(target, bucket),
            targets.scrubs(),
            () -> status(targets),
            () -> serving,
            metrics,
            identities,
            clock);
  }

  /** Listens and gives the port. */
  int start() throws StartFailure {
    try {
      return await(AdminServer.start(vertx, config.admin(), adminParts).toCompletionStage()).port();
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      AdminConfig listen = config.admin();
      String where = "admin listener cannot serve on " + listen.host() + ":" + listen.port();
      throw new StartFailure(
          Listening.explain(where + ": " + cause.getMessage(), "--admin-listen", cause), cause);
    }
  }

  /** From now on it says that requests are served. */
  void serving() {
    serving = true;
  }

  private static CompletionStage<Boolean> isEmpty(ObjectTarget target, Bucket bucket) {
    CallScope scope = new CallScope(bucket.id(), bucket.settingsVersion(), 1);
    return target
        .listObjects(new TargetRequest.ListObjects(scope, "", "", "", 1))
        .thenApply(AdminListener::isEmpty);
  }

  private static boolean isEmpty(Outcome<ListPage> outcome) {
    return switch (outcome) {
      case Outcome.Success<ListPage>(ListPage page) -> page.entries().isEmpty();
      case Outcome.Failed<ListPage> failed ->
          throw new IllegalStateException("listing failed: " + failed.failure().message());
    };
  }

  private NodeStatus status(Targets targets) {
    return new NodeStatus(
        config.role().name().toLowerCase(Locale.ROOT),
        targets.map().get().epoch(),
        targets.status());
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
