package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.gateway.admin.Identities;
import dev.tarn.standalone.config.Role;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The folder of a cluster on this machine. It holds the list of members with their ports, the
 * shared secret, the first admin's key pair, and a folder for each member.
 */
record LocalFolder(Path path) {
  private static final int SECRET_BYTES = 32;

  LocalFolder {
    requireNonNull(path, "path is null");
  }

  Path secret() {
    return path.resolve("secret");
  }

  Path credentials() {
    return path.resolve("credentials");
  }

  Path of(LocalMember member) {
    return path.resolve(member.name());
  }

  private Path list() {
    return path.resolve("members");
  }

  /** The members as the first start recorded them; none before the first start. */
  List<LocalMember> members() throws IOException {
    if (!Files.exists(list())) {
      return List.of();
    }
    try {
      return Files.readAllLines(list()).stream().map(LocalMember::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new IOException(list() + ": " + e.getMessage(), e);
    }
  }

  /** Creates the secret, the key pair and the list of members, each if it is missing. */
  List<LocalMember> ensure(int gateways, int targets, Map<String, String> environment)
      throws IOException {
    SecureRandom random = new SecureRandom();
    if (!Files.exists(secret())) {
      byte[] secret = new byte[SECRET_BYTES];
      random.nextBytes(secret);
      SmallFile.write(secret(), HexFormat.of().formatHex(secret) + "\n");
    }
    if (!Files.exists(credentials())) {
      AccessKey made = new Identities(random).accessKey("", 0);
      Optional<KeyPair> given = KeyPair.inEnvironment(environment);
      given.orElse(new KeyPair(made.id(), made.secret())).writeTo(credentials());
    }
    List<LocalMember> members = members();
    if (members.isEmpty()) {
      members = drawn(gateways, targets, random);
      write(members);
    }
    return members;
  }

  /** Adds targets to the list until there are so many; returns the list. */
  List<LocalMember> grow(List<LocalMember> present, int targets) throws IOException {
    int first = 1 + (int) present.stream().filter(one -> one.role() == Role.TARGET).count();
    if (targets < first) {
      return present;
    }
    Iterator<Integer> ports =
        FreePorts.draw(2 * (1 + targets - first), new SecureRandom()).iterator();
    List<LocalMember> members = new ArrayList<>(present);
    for (int i = first; i <= targets; i++) {
      members.add(new LocalMember("target-" + i, Role.TARGET, ports.next(), ports.next()));
    }
    write(members);
    return List.copyOf(members);
  }

  private void write(List<LocalMember> members) throws IOException {
    SmallFile.write(
        list(), members.stream().map(member -> member + "\n").collect(Collectors.joining()));
  }

  private static List<LocalMember> drawn(int gateways, int targets, SecureRandom random)
      throws IOException {
    int count = 1 + gateways + targets;
    Iterator<Integer> ports = FreePorts.draw(2 * count, random).iterator();
    List<LocalMember> members = new ArrayList<>();
    members.add(new LocalMember("control", Role.CONTROL, ports.next(), ports.next()));
    for (int i = 1; i <= gateways; i++) {
      members.add(new LocalMember("gateway-" + i, Role.GATEWAY, ports.next(), ports.next()));
    }
    for (int i = 1; i <= targets; i++) {
      members.add(new LocalMember("target-" + i, Role.TARGET, ports.next(), ports.next()));
    }
    return List.copyOf(members);
  }

  /** The first admin's key pair. */
  KeyPair pair() throws IOException {
    return KeyPair.inFile(credentials())
        .orElseThrow(() -> new IOException("there is no key pair in " + credentials()));
  }
}
