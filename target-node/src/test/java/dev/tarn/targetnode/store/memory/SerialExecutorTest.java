package dev.tarn.targetnode.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class SerialExecutorTest {
  @Test
  void aTaskThatThrowsDoesNotKeepThoseBehindItFromRunning() {
    Queue<Runnable> pool = new ArrayDeque<>();
    SerialExecutor serial = new SerialExecutor(pool::add);
    List<String> ran = new ArrayList<>();
    serial.execute(() -> {
      throw new IllegalStateException("a fault of a test");
    });
    serial.execute(() -> ran.add("second"));
    assertThatIllegalStateException().isThrownBy(() -> pool.remove().run());
    serial.execute(() -> ran.add("third"));
    pool.remove().run();
    assertThat(ran).containsExactly("second", "third");
    assertThat(pool).isEmpty();
  }
}
