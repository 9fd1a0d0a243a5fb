package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The newest applied state and those who watch it: what every binding of the control plane shares.
 * One writer publishes at a time; readers take no lock.
 */
public final class PublishedState {
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private volatile ControlState state;

  /** Begins at this state. */
  public PublishedState(ControlState state) {
    this.state = requireNonNull(state, "state is null");
  }

  /** The newest state. */
  public ControlState state() {
    return state;
  }

  /**
   * Shows a newer state and tells the listeners on this thread. What one of them throws is thrown
   * when all have been told.
   */
  public void publish(ControlState newer) {
    if (newer.version() <= state.version()) {
      throw new IllegalArgumentException(
          "state version is " + newer.version() + ", must be above " + state.version());
    }
    state = newer;
    RuntimeException failure = null;
    for (Subscription subscription : subscriptions) {
      try {
        subscription.offer(newer);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Tells a listener of the present state at once and of newer ones until the watch is closed. */
  public ControlPlane.Watch watch(Consumer<ControlState> listener) {
    Subscription subscription = new Subscription(requireNonNull(listener, "listener is null"));
    subscriptions.add(subscription);
    subscription.offer(state);
    return () -> subscriptions.remove(subscription);
  }

  /** Keeps the order of versions where the first call and a publication meet. */
  private static final class Subscription {
    private final Consumer<ControlState> listener;
    private long toldVersion = -1;

    Subscription(Consumer<ControlState> listener) {
      this.listener = listener;
    }

    synchronized void offer(ControlState state) {
      if (state.version() > toldVersion) {
        toldVersion = state.version();
        listener.accept(state);
      }
    }
  }
}
