package dev.tarn.targetnode.store.memory;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in the order of their submission, on threads of another executor,
 * which must not reject them. A task that throws does not stop the tasks after it.
 */
public final class SerialExecutor implements Executor {
  private final Executor executor;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  public SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    executor.execute(this::runAll);
  }

  private void runAll() {
    boolean done = false;
    try {
      Runnable task = next();
      while (task != null) {
        task.run();
        task = next();
      }
      done = true;
    } finally {
      if (!done) {
        executor.execute(this::runAll);
      }
    }
  }

  private @Nullable Runnable next() {
    synchronized (tasks) {
      Runnable task = tasks.poll();
      running = task != null;
      return task;
    }
  }
}
