package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** nginx with one worker, configured for the best rate at the given file size. */
public final class Nginx implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

  private final ServerProcess process;
  private final InetSocketAddress address;
  private final long worker;

  private Nginx(ServerProcess process, InetSocketAddress address, long worker) {
    this.process = process;
    this.address = address;
    this.worker = worker;
  }

  /**
   * Starts an nginx that serves files, and waits until it answers.
   *
   * @param scratch a folder for its configuration and logs alone
   * @param files the folder to serve
   * @param fileBytes the size of the files, which decides how nginx sends them
   */
  public static Nginx start(TarnHome home, Path scratch, Path files, long fileBytes)
      throws IOException {
    InetSocketAddress address = FreeAddress.onLoopback();
    return start(
        home, scratch, address, NginxConfiguration.files(scratch, address, files, fileBytes));
  }

  /**
   * Starts an nginx that proxies requests to another server, and waits until it answers.
   *
   * @param scratch a folder for its configuration and logs alone
   */
  public static Nginx startProxy(TarnHome home, Path scratch, InetSocketAddress upstream)
      throws IOException {
    InetSocketAddress address = FreeAddress.onLoopback();
    return start(home, scratch, address, NginxConfiguration.proxy(scratch, address, upstream));
  }

  private static Nginx start(TarnHome home, Path scratch, InetSocketAddress address, String text)
      throws IOException {
    Path binary = InstalledTool.path(home, "nginx", scratch);
    Path configuration = Files.writeString(scratch.resolve("nginx.conf"), text);
    ProcessBuilder command =
        new ProcessBuilder(
            binary.toString(), "-p", scratch.toString(), "-c", configuration.toString());
    ServerProcess process = ServerProcess.start(command, scratch.resolve("nginx.log"));
    try {
      long worker = process.await(() -> worker(process, address), START_TIMEOUT);
      return new Nginx(process, address, worker);
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  private static Optional<Long> worker(ServerProcess master, InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address);
      return master.handle().children().map(ProcessHandle::pid).findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  public InetSocketAddress address() {
    return address;
  }

  /** The process id of the worker. */
  public long worker() {
    return worker;
  }

  @Override
  public void close() {
    process.close();
  }
}
