package dev.tarn.transport.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.fixtures.target.LockContract;
import dev.tarn.fixtures.target.ObjectTargetContract;
import dev.tarn.fixtures.target.VersionContract;
import dev.tarn.fixtures.target.VersionListContract;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.transport.tls.MemberTls;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract suite over HTTP, whatever form the target gives its bytes in. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpBindingContract extends ObjectTargetContract
    implements VersionContract, VersionListContract, LockContract {
  private final Vertx vertx = Vertx.vertx();
  private final MemoryTarget memory = new MemoryTarget(this::configuration);
  private final RemoteTarget remote;

  HttpBindingContract(BodyForm form) {
    remote = new RemoteTarget(vertx, new FormedTarget(memory, form::of));
  }

  HttpBindingContract(BodyForm form, MemberTls tls) {
    remote = new RemoteTarget(vertx, new FormedTarget(memory, form::of), tls);
  }

  @BeforeAll
  void start() {
    remote.start();
  }

  @AfterAll
  void everyBodyIsClosedWhenTheServerIs() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    assertThat(memory.openBodies()).isZero();
  }

  @Override
  public ObjectTarget target() {
    return remote.target();
  }
}
