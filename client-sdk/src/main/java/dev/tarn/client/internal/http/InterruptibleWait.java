package dev.tarn.client.internal.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Makes a wait for a server end at an interrupt. A thread that reads a socket does not notice
 * interrupts, so that an iterator's close would leave it behind until the server times out. As with
 * a channel, the interrupting thread cuts the connection.
 */
final class InterruptibleWait extends AbstractInterruptibleChannel {
  private final Runnable cut;

  private InterruptibleWait(Runnable cut) {
    this.cut = cut;
  }

  /** A call that may block. */
  interface Call<T> {
    T call() throws IOException;
  }

  /**
   * Runs a call that may block.
   *
   * @param cut makes the call fail soon; run by the interrupting thread, or before the call
   * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
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
