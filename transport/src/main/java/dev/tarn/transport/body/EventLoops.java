package dev.tarn.transport.body;

import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;

/** Runs code on the event loop that owns a connection's state. */
public final class EventLoops {
  private EventLoops() {}

  /** Whether this thread is the context's event loop. */
  public static boolean isHere(Context context) {
    return ((ContextInternal) context).nettyEventLoop().inEventLoop();
  }

  /** Runs a step on the context's event loop; immediately if this thread is that event loop. */
  public static void run(Context context, Runnable step) {
    if (isHere(context)) {
      step.run();
    } else {
      context.runOnContext(ignored -> step.run());
    }
  }
}
