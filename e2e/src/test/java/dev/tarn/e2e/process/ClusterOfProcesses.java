package dev.tarn.e2e.process;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.cluster.Backoff;
import dev.tarn.standalone.cluster.Formation;
import dev.tarn.standalone.cluster.FreePorts;
import dev.tarn.standalone.node.KeyPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** A control plane, gateways and targets, each a process of its own that keeps its port. */
public final class ClusterOfProcesses implements AutoCloseable {
  /** What they share. */
  public static final byte[] SECRET =
      "a secret of the tests, long enough".getBytes(StandardCharsets.US_ASCII);

  private static final String CONTROL = "control";
  private static final String GATEWAY = "gateway-";

  private static final String HEAP_MAX = "256m";

  private static final Duration FORMATION_MAX = Duration.ofSeconds(30);

  /** For clusters that have targets away for long: who calls them is not to wait for them. */
  public static final String NO_TARGET_IS_AWAITED = "gateway.limits.target-wait-max=0s";

  private final Path folder;
  private final List<String> jvmOptions;
  private final List<String> gatewaySettings;
  private final Map<String, String> addresses = new TreeMap<>();
  private final Map<String, TarnProcess> processes = new ConcurrentSkipListMap<>();

  /** Starts one gateway and targets of these ids, and makes them members. */
  public ClusterOfProcesses(Path folder, List<String> targets) throws IOException {
    this(folder, 1, targets);
  }

  /**
   * Starts so many gateways and targets of these ids, and makes them members.
   *
   * @param gatewaySettings what every start of a gateway sets, of the form name=value
   */
  public ClusterOfProcesses(
      Path folder, int gateways, List<String> targets, String... gatewaySettings)
      throws IOException {
    this(folder, gateways, targets, List.of(), gatewaySettings);
  }

  /**
   * The same with options of the JVM.
   *
   * @param jvmOptions of all processes, beside a bound of the heap
   */
  public ClusterOfProcesses(
      Path folder,
      int gateways,
      List<String> targets,
      List<String> jvmOptions,
      String... gatewaySettings)
      throws IOException {
    this.folder = folder;
    this.jvmOptions = Stream.concat(Stream.of("-Xmx" + HEAP_MAX), jvmOptions.stream()).toList();
    this.gatewaySettings = List.of(gatewaySettings);
    Files.write(secret(), SECRET);
    Files.setPosixFilePermissions(secret(), PosixFilePermissions.fromString("rw-------"));
    List<String> names = new ArrayList<>(List.of(CONTROL));
    for (int number = 1; number <= gateways; number++) {
      names.add(GATEWAY + number);
    }
    names.addAll(targets);
    Iterator<Integer> ports = FreePorts.draw(names.size(), new SecureRandom()).iterator();
    names.forEach(name -> addresses.put(name, "127.0.0.1:" + ports.next()));
    try {
      startControl();
      names.parallelStream().skip(1).forEach(this::startMember);
      new Formation(admin(control())::call, _ -> {})
          .form(new Formation.Members(targets, targets.size()), Backoff.of(FORMATION_MAX));
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Path secret() {
    return folder.resolve("secret");
  }

  /** Starts the control plane, or starts it again where it was. */
  public void startControl() throws IOException {
    start(CONTROL, List.of(), "control");
  }

  /**
   * Starts a gateway again where it was, with further settings of the form name=value; they are
   * numbered from 1.
   */
  public void startGateway(int number, String... settings) throws IOException {
    startGateway(List.of(), number, settings);
  }

  /**
   * The same.
   *
   * @param launcher a command that starts the command that follows it
   */
  void startGateway(List<String> launcher, int number, String... settings) throws IOException {
    start(
        GATEWAY + number,
        launcher,
        "gateway",
        Stream.of(
                Stream.of("cluster.control=http://" + address(CONTROL)),
                gatewaySettings.stream(),
                Stream.of(settings))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  /** Starts one more target, which announces itself. An administrator has to add it. */
  public void startNewTarget(String id) throws IOException {
    addresses.put(id, "127.0.0.1:" + FreePorts.draw(1, new SecureRandom()).getFirst());
    startTarget(id);
  }

  /** Starts a process with folders of its own and the id of a target that there is already. */
  void startTwin(String name, String id) throws IOException {
    addresses.put(name, "127.0.0.1:" + FreePorts.draw(1, new SecureRandom()).getFirst());
    startTargetAs(name, id);
  }

  /** Starts a target again where it was, with further settings of the form name=value. */
  public void startTarget(String id, String... settings) throws IOException {
    startTargetAs(id, id, settings);
  }

  private void startTargetAs(String name, String id, String... settings) throws IOException {
    start(
        name,
        List.of(),
        "target",
        Stream.concat(
                Stream.of("cluster.control=http://" + address(CONTROL), "cluster.target-id=" + id),
                Stream.of(settings))
            .toArray(String[]::new));
  }

  private void startMember(String name) {
    try {
      if (name.startsWith(GATEWAY)) {
        startGateway(Integer.parseInt(name.substring(GATEWAY.length())));
      } else {
        startTarget(name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(String name, List<String> launcher, String role, String... settings)
      throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    String[] options =
        Stream.concat(
                Stream.of("--role", role, "--set", "cluster.secret-file=" + secret()),
                Stream.of(settings).flatMap(setting -> Stream.of("--set", setting)))
            .toArray(String[]::new);
    processes.put(name, TarnProcess.startAt(address(name), home, launcher, jvmOptions, options));
  }

  /** HOST:PORT of the main listener of a target, or of another process by its name. */
  public String address(String name) {
    return requireNonNull(addresses.get(name), "no such process");
  }

  /** The control plane. */
  public TarnProcess control() {
    return process(CONTROL);
  }

  /** The first gateway. */
  public TarnProcess gateway() {
    return gateway(1);
  }

  /** A gateway; they are numbered from 1. */
  public TarnProcess gateway(int number) {
    return process(GATEWAY + number);
  }

  /** A target. */
  public TarnProcess target(String id) {
    return process(id);
  }

  private TarnProcess process(String name) {
    return requireNonNull(processes.get(name), "no such process");
  }

  /** Asks the admin API of one of them. */
  public static AdminClient admin(TarnProcess process) {
    return new AdminClient(
        process.admin(), new KeyPair(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY));
  }

  @Override
  public void close() {
    // Gateways first: what is in flight through them finishes.
    processes.entrySet().stream()
        .sorted((one, other) -> order(one.getKey()) - order(other.getKey()))
        .forEach(process -> process.getValue().close());
  }

  private static int order(String name) {
    return name.startsWith(GATEWAY) ? 0 : name.equals(CONTROL) ? 2 : 1;
  }
}
