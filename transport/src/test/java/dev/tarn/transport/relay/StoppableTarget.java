package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.IntSupplier;

/**
 * A target that can be stopped: connections to it open and take bytes, but nothing is answered. It
 * can also be slow: then it answers probes alone.
 */
final class StoppableTarget implements AutoCloseable {
  private final ScriptedTarget target;
  private boolean stopped;
  private boolean slow;
  private int released;
  private byte[] body = {};
  private int calls;
  private int probes;

  StoppableTarget() throws IOException {
    this.target = new ScriptedTarget(this::serve);
  }

  private void serve(int connection, InputStream in, OutputStream out) throws IOException {
    while (true) {
      String head = ScriptedTarget.readHead(in);
      ScriptedTarget.readMessage(in, head);
      if (ScriptedTarget.isProbe(head)) {
        answerProbe(out);
        continue;
      }
      out.write(receivedCall());
      writeBody(out);
    }
  }

  private void writeBody(OutputStream out) throws IOException {
    if (body.length > 0) {
      awaitAnswering(false);
      out.write(body);
    }
  }

  /** Waits until the call may be answered; gives the beginning of the answer. */
  private synchronized byte[] receivedCall() throws IOException {
    calls++;
    notifyAll();
    if (body.length == 0) {
      awaitAnswering(false);
    }
    return ScriptedTarget.head(0, body.length);
  }

  private void answerProbe(OutputStream out) throws IOException {
    synchronized (this) {
      probes++;
      notifyAll();
      awaitAnswering(true);
    }
    ScriptedTarget.answerProbe(out);
  }

  private synchronized void awaitAnswering(boolean probe) throws IOException {
    try {
      while (stopped || (slow && !probe)) {
        if (!probe && released > 0) {
          released--;
          return;
        }
        wait();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Answers nothing from now on. */
  synchronized void stop() {
    stopped = true;
  }

  /** Answers nothing but probes from now on. */
  synchronized void answerProbesAlone() {
    slow = true;
    stopped = false;
    notifyAll();
  }

  /** Answers one of the calls that wait. */
  synchronized void answerOne() {
    released++;
    notifyAll();
  }

  /** Answers everything, also what it received meanwhile. */
  synchronized void resume() {
    stopped = false;
    slow = false;
    notifyAll();
  }

  /** Answers with the head immediately, and with these bytes when it is not stopped. */
  synchronized void giveBody(byte[] bytes) {
    body = bytes;
  }

  /** Returns when this many calls have arrived since the start. */
  void awaitCalls(int count) throws InterruptedException {
    await(() -> calls, count);
  }

  /** The number of probes that have arrived since the start. */
  synchronized int probes() {
    return probes;
  }

  /** Returns when this many probes have arrived since the start. */
  void awaitProbes(int count) throws InterruptedException {
    await(() -> probes, count);
  }

  private synchronized void await(IntSupplier events, int count) throws InterruptedException {
    while (events.getAsInt() < count) {
      wait();
    }
  }

  /** How many calls have arrived. */
  synchronized int calls() {
    return calls;
  }

  /** How many connections there have been. */
  int connections() {
    return target.connections();
  }

  TargetAddress address() {
    return target.address();
  }

  @Override
  public void close() throws IOException {
    resume();
    target.close();
  }
}
