package dev.tarn.client.storage.remote;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * A wait for a server that an interrupt ends. A thread that waits for a socket does not hear of
 * interrupts, and an iterator that is closed meanwhile would leave it behind until the server's
 * time is over; so whoever interrupts it cuts what it waits for, as with a channel.
 */
final class InterruptibleWait extends AbstractInterruptibleChannel {
  private final Runnable cut;

  private InterruptibleWait(Runnable cut) {
    this.cut = cut;
  }

  /** What takes its time. */
  interface Call<T> {
    T call() throws IOException;
  }

  /**
   * Calls something that waits.
   *
   * @param cut makes the call fail soon; run by the thread that interrupts, or before the call
   * @throws InterruptedIOException if the thread is interrupted, and stays so
   */
  static <T> T during(Call<T> call, Runnable cut) throws IOException {
    try {
      return new InterruptibleWait(cut).run(call);
    } catch (ClosedByInterruptException e) {
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for an answer").initCause(e);
    }
  }

  private <T> T run(Call<T> call) throws IOException {
    boolean completed = false;
    begin();
    try {
      T result = call.call();
      completed = true;
      return result;
    } finally {
      end(completed);
    }
  }

  @Override
  protected void implCloseChannel() {
    cut.run();
  }
}
