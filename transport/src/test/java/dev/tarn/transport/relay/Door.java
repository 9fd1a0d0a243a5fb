package dev.tarn.transport.relay;

import dev.tarn.cluster.map.TargetAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Forwards connections to a target. It can hold back new connections, or the target's answers. */
final class Door implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final TargetAddress target;
  private final List<Socket> callers = new ArrayList<>();
  private final List<Socket> held = new ArrayList<>();
  private final Set<Socket> ended = new HashSet<>();
  private final Set<Socket> answered = new HashSet<>();
  private boolean holdsNew;
  private boolean holdsAnswers;

  /** Opens a door to the target at this address. */
  Door(TargetAddress target) throws IOException {
    this.target = target;
    Thread.startVirtualThread(this::accept);
  }

  TargetAddress address() {
    return new TargetAddress("127.0.0.1", server.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket caller = server.accept();
        if (add(caller)) {
          forward(caller);
        }
      }
    } catch (IOException closed) {
      // The test has ended.
    }
  }

  /** Returns whether the connection is to be forwarded. */
  private synchronized boolean add(Socket caller) {
    callers.add(caller);
    if (holdsNew) {
      held.add(caller);
    }
    return !holdsNew;
  }

  private void forward(Socket caller) throws IOException {
    Socket called = new Socket(target.host(), target.port());
    Thread.startVirtualThread(() -> forward(caller, called, false));
    Thread.startVirtualThread(() -> forward(called, caller, true));
  }

  private void forward(Socket from, Socket to, boolean answers) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      byte[] bytes = new byte[16 << 10];
      for (int size = in.read(bytes); size >= 0; size = in.read(bytes)) {
        if (answers) {
          awaitAnswers(to);
        }
        to.getOutputStream().write(bytes, 0, size);
      }
    } catch (IOException | InterruptedException closed) {
      // Both sockets close.
    }
    end(answers ? to : from);
  }

  private synchronized void awaitAnswers(Socket caller) throws InterruptedException {
    while (holdsAnswers) {
      wait();
    }
    answered.add(caller);
  }

  private synchronized void end(Socket caller) {
    ended.add(caller);
  }

  synchronized void holdNewConnections() {
    holdsNew = true;
  }

  synchronized void releaseNewConnections() throws IOException {
    holdsNew = false;
    for (Socket caller : held) {
      forward(caller);
    }
    held.clear();
  }

  synchronized void holdAnswers() {
    holdsAnswers = true;
  }

  synchronized void releaseAnswers() {
    holdsAnswers = false;
    notifyAll();
  }

  /** How many connections were made, with those that are held back. */
  synchronized int accepted() {
    return callers.size();
  }

  /** How many connections have not been closed. */
  synchronized int open() {
    return callers.size() - ended.size();
  }

  /** Whether the target has answered on so many connections. */
  synchronized boolean hasAnswered(int connections) {
    return answered.size() >= connections;
  }

  synchronized void closeConnections() throws IOException {
    for (Socket caller : callers) {
      caller.close();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    releaseAnswers();
    closeConnections();
  }
}
