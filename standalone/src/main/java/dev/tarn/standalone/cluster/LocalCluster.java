package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.config.Role;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.StartFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster on this machine. Each member is a process of its own that outlives this process. */
public final class LocalCluster {
  private static final int GATEWAYS = 2;
  private static final int TARGETS = 3;
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration END_MAX = Duration.ofMinutes(1);

  private final LocalFolder folder;
  private final Launcher launcher;
  private final Map<String, String> environment;
  private final Consumer<String> progress;

  /**
   * Creates the object; starts no process.
   *
   * @param path the cluster's folder
   * @param progress receives a line for each step
   */
  public LocalCluster(
      Path path, Launcher launcher, Map<String, String> environment, Consumer<String> progress) {
    this.folder = new LocalFolder(path.toAbsolutePath().normalize());
    this.environment = Map.copyOf(requireNonNull(environment, "environment is null"));
    this.launcher = requireNonNull(launcher, "launcher is null").detached(environment);
    this.progress = requireNonNull(progress, "progress is null");
  }

  /** The default folder of a cluster: {@code tarn-cluster} beside the default data folder. */
  public static Path defaultFolder(Map<String, String> environment) {
    return DataFolder.defaultFolder(environment).resolveSibling("tarn-cluster");
  }

  /**
   * The current state of a member.
   *
   * @param pid its process id; empty if it does not run
   * @param url the URL of its main listener
   */
  public record State(
      String name, Role role, Optional<Long> pid, boolean ready, URI url, URI adminUrl) {}

  /**
   * Starts the members that do not run, waits at most 2 minutes until all are ready, and puts the
   * targets into the cluster map. The first start fixes the number of gateways; the number of
   * targets may grow.
   *
   * @param gateways the number of gateways; empty for the present number, at the first start 2
   * @param targets the number of targets; empty for the present number, at the first start 3
   * @throws IOException if the number of gateways differs, there are more targets already, or a
   *     member is not ready in time
   * @throws StartFailure if the cluster's folder is in use or not writable
   */
  public void start(Optional<Integer> gateways, Optional<Integer> targets)
      throws IOException, StartFailure {
    try (DataFolder _ = DataFolder.open(folder.path())) {
      List<LocalMember> members =
          folder.ensure(gateways.orElse(GATEWAYS), targets.orElse(TARGETS), environment);
      checkCount(members, Role.GATEWAY, gateways);
      members = folder.grow(members, targets.orElse(0));
      checkCount(members, Role.TARGET, targets);
      LocalMember control = members.getFirst();
      Backoff backoff = Backoff.of(START_MAX);
      // The other members need the control node to become ready.
      start(List.of(control), control, backoff);
      AdminClient admin = new AdminClient(control.adminUrl(), folder.pair());
      Set<String> removed = removed(members, admin.call("GET", "/cluster", null));
      List<LocalMember> started =
          members.stream().skip(1).filter(member -> !removed.contains(member.name())).toList();
      start(started, control, backoff);
      List<String> ids =
          started.stream()
              .filter(member -> member.role() == Role.TARGET)
              .map(LocalMember::name)
              .toList();
      JsonObject cluster =
          new Formation(admin::call, progress)
              .form(new Formation.Members(ids, ids.size()), backoff);
      progress.accept("the cluster map has epoch " + cluster.getLong("map_epoch"));
    }
  }

  /** The targets that the control node knew once, and knows no more. Their data do not count. */
  private Set<String> removed(List<LocalMember> members, JsonObject cluster) {
    Set<String> known =
        cluster.getJsonArray("targets").stream()
            .map(target -> ((JsonObject) target).getString("id"))
            .collect(Collectors.toSet());
    Set<String> removed = new TreeSet<>();
    for (LocalMember member : members) {
      if (member.role() == Role.TARGET
          && !known.contains(member.name())
          && process(member).hasFollowedControl()) {
        removed.add(member.name());
        progress.accept(
            member.name()
                + " was removed from the cluster and is not started; delete "
                + folder.of(member)
                + " to start it without data");
      }
    }
    return removed;
  }

  private void checkCount(List<LocalMember> members, Role role, Optional<Integer> wanted)
      throws IOException {
    long present = members.stream().filter(member -> member.role() == role).count();
    if (wanted.isPresent() && wanted.orElseThrow() != present) {
      throw new IOException(
          "the cluster in "
              + folder.path()
              + " has "
              + present
              + " "
              + role.title()
              + "s, not "
              + wanted.orElseThrow()
              + "; leave the number away, or give --data another folder");
    }
  }

  private void start(List<LocalMember> members, LocalMember control, Backoff backoff)
      throws IOException {
    List<LocalProcess> processes = members.stream().map(this::process).toList();
    List<String> gateways =
        members.stream()
            .filter(member -> member.role() == Role.GATEWAY)
            .map(LocalMember::adminAddress)
            .toList();
    for (LocalProcess process : processes) {
      LocalMember member = process.member();
      if (process.running().isPresent()) {
        progress.accept(member.name() + " runs");
      } else {
        process.start(launcher, settings(member, control, gateways), secrets(member));
        progress.accept("starting " + member.name());
      }
    }
    for (LocalProcess process : processes) {
      process.awaitReady(backoff);
    }
  }

  private LocalProcess process(LocalMember member) {
    return new LocalProcess(member, folder.of(member));
  }

  private List<String> settings(LocalMember member, LocalMember control, List<String> gateways) {
    List<String> settings = new ArrayList<>();
    settings.add("cluster.secret-file=" + folder.secret());
    if (member.role() != Role.CONTROL) {
      settings.add("cluster.control=" + control.url());
    }
    if (member.role() == Role.TARGET) {
      settings.add("cluster.target-id=" + member.name());
    }
    if (member.role() == Role.GATEWAY) {
      settings.add("admin.gateways=" + String.join(",", gateways));
    }
    return settings;
  }

  /** Only the control node gets the first admin's key pair. */
  private Map<String, String> secrets(LocalMember member) throws IOException {
    return member.role() == Role.CONTROL ? folder.pair().environment() : Map.of();
  }

  /** The states of the members; none before the first start. */
  public List<State> status() throws IOException {
    List<State> states = new ArrayList<>();
    for (LocalMember member : folder.members()) {
      LocalProcess process = process(member);
      states.add(
          new State(
              member.name(),
              member.role(),
              process.running().map(ProcessHandle::pid),
              process.isReady(),
              member.url(),
              member.adminUrl()));
    }
    return states;
  }

  /**
   * Stops all running members: gateways, then targets, then the control node. Waits at most one
   * minute for each role.
   *
   * @return how many members were running
   */
  public int stop() throws IOException, StartFailure {
    if (!Files.exists(folder.path())) {
      return 0;
    }
    int ended = 0;
    try (DataFolder _ = DataFolder.open(folder.path())) {
      for (Role role : List.of(Role.GATEWAY, Role.TARGET, Role.CONTROL)) {
        ended += stop(role);
      }
    }
    return ended;
  }

  private int stop(Role role) throws IOException {
    List<LocalProcess> told = new ArrayList<>();
    for (LocalMember member : folder.members()) {
      LocalProcess process = process(member);
      Optional<ProcessHandle> running = process.running();
      if (member.role() == role && running.isPresent()) {
        running.orElseThrow().destroy();
        told.add(process);
      }
    }
    Backoff backoff = Backoff.of(END_MAX);
    for (LocalProcess process : told) {
      process.awaitEnd(backoff);
      progress.accept("ended " + process.member().name());
    }
    return told.size();
  }

  /** The file with the first admin's key pair, in aws-cli's form. */
  public Path credentials() {
    return folder.credentials();
  }
}
