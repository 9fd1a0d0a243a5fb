package dev.tarn.cluster.target.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.ObjectTargetContract;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TestBody;
import dev.tarn.cluster.target.VersionContract;
import dev.tarn.cluster.target.VersionListContract;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MemoryTargetTest extends ObjectTargetContract
    implements VersionContract, VersionListContract {
  private final MemoryTarget target = new MemoryTarget(this::versioning);

  @Override
  public ObjectTarget target() {
    return target;
  }

  @AfterEach
  void everyBodyWasClosed() {
    assertThat(target.openBodies()).isZero();
  }

  @Test
  void aWriteBeyondTheCapacityIsOutOfSpaceUntilSomethingGoes() {
    MemoryTarget small = new MemoryTarget(InstantSource.system(), 10);
    assertThat(put(small, "a", "12345678")).isInstanceOf(Outcome.Success.class);
    assertThat(put(small, "b", "123"))
        .isEqualTo(Outcome.failed(new Failure.OutOfSpace("The memory of this target is full.")));
    assertThat(put(small, "a", "1")).isInstanceOf(Outcome.Success.class);
    assertThat(put(small, "b", "123")).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void aBodyClosedTwiceIsFoundOut() {
    put(target, "a", "x");
    Get request =
        new Get(scope(), ObjectKey.of("a"), Optional.empty(), Selection.WHOLE, Preconditions.NONE);
    ObjectRead read =
        ((Outcome.Success<ObjectRead>)
                requireNonNull(target.call(request).toCompletableFuture().join()))
            .value();
    read.body().close();
    assertThatThrownBy(() -> read.body().close()).isInstanceOf(IllegalStateException.class);
  }

  private Outcome<?> put(MemoryTarget into, String key, String text) {
    Put request =
        new Put(scope(), ObjectKey.of(key), ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
    return into.call(request, TestBody.of(text)).toCompletableFuture().join();
  }
}
