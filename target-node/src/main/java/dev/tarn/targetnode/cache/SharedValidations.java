package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.BackendException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the backend about an object for all readers who wait for the answer. A reader that comes
 * while a question is on its way shares the next one: the answer under way may be older than a
 * change that the reader must see. So at most two questions about an object are pending.
 */
final class SharedValidations {
  private final ConcurrentHashMap<ObjectName, Turns> underway = new ConcurrentHashMap<>();

  /** The question that is on its way, and the one that follows it. */
  private record Turns(Turn present, @Nullable Turn next) {}

  /** One question and its answer. */
  private static final class Turn {
    private final CompletableFuture<BackendObject> answer = new CompletableFuture<>();
    private final CompletableFuture<Boolean> begins = new CompletableFuture<>();
  }

  /**
   * Asks, or waits for the answer to a question that begins after this call; blocks.
   *
   * @param question throws a {@link BackendException} if the backend gives no object
   */
  BackendObject ask(ObjectName name, Supplier<BackendObject> question) {
    Turn mine = new Turn();
    AtomicReference<Turn> joined = new AtomicReference<>(mine);
    underway.compute(
        name,
        (same, turns) -> {
          if (turns == null) {
            mine.begins.complete(true);
            return new Turns(mine, null);
          }
          if (turns.next() != null) {
            joined.set(turns.next());
            return turns;
          }
          return new Turns(turns.present(), mine);
        });
    if (joined.get() != mine) {
      return answerOf(joined.get());
    }
    mine.begins.join();
    try {
      BackendObject object = question.get();
      mine.answer.complete(object);
      return object;
    } catch (RuntimeException | Error e) {
      mine.answer.completeExceptionally(e);
      throw e;
    } finally {
      end(name);
    }
  }

  private static BackendObject answerOf(Turn turn) {
    try {
      return turn.answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof BackendException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private void end(ObjectName name) {
    underway.computeIfPresent(
        name,
        (same, turns) -> {
          Turn next = turns.next();
          if (next == null) {
            return null;
          }
          next.begins.complete(true);
          return new Turns(next, null);
        });
  }
}
