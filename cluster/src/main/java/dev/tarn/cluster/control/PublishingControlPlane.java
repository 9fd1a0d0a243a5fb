package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control plane that has the newest applied state and its listeners. One writer publishes at a
 * time; readers take no lock.
 */
public abstract class PublishingControlPlane implements ControlPlane {
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private volatile ControlState state;

  /** Starts with this state. */
  protected PublishingControlPlane(ControlState state) {
    this.state = requireNonNull(state, "state is null");
  }

  @Override
  public final ControlState state() {
    return state;
  }

  /**
   * Publishes a newer or more complete state and calls the listeners on this thread. An exception
   * of a listener is thrown after all listeners have been called.
   */
  protected final void publish(ControlState newer) {
    if (newer.version() < state.version()) {
      throw new IllegalArgumentException(
          "state version is " + newer.version() + ", must be at least " + state.version());
    }
    state = newer;
    RuntimeException failure = null;
    for (Subscription subscription : subscriptions) {
      try {
        subscription.offer();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public final Watch watch(Consumer<ControlState> listener) {
    Subscription subscription = new Subscription(requireNonNull(listener, "listener is null"));
    subscriptions.add(subscription);
    subscription.offer();
    return () -> subscriptions.remove(subscription);
  }

  /** Keeps the order of versions when the first call and a publication run at the same time. */
  private final class Subscription {
    private final Consumer<ControlState> listener;
    private @Nullable ControlState told;

    Subscription(Consumer<ControlState> listener) {
      this.listener = listener;
    }

    @SuppressWarnings("ReferenceEquality") // each published state is an object of its own
    synchronized void offer() {
      ControlState newest = state;
      if (newest != told) {
        told = newest;
        listener.accept(newest);
      }
    }
  }
}
