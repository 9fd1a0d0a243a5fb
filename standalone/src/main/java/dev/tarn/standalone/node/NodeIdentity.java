package dev.tarn.standalone.node;

import dev.tarn.cluster.map.TargetId;
import dev.tarn.sharder.cli.output.FailureHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The permanent id of this node. The first start generates it or takes it from the configuration,
 * and stores it in the data folder.
 */
public final class NodeIdentity {
  private static final String FILE = "node-id";
  private static final int RANDOM_BYTES = 8;

  private NodeIdentity() {}

  /** The stored id; the first start generates a random one. */
  public static TargetId of(DataFolder data) throws StartFailure {
    Optional<TargetId> kept = kept(data);
    if (kept.isPresent()) {
      return kept.orElseThrow();
    }
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    return keep(data, new TargetId("node-" + HexFormat.of().formatHex(random)));
  }

  /**
   * The id of a member of a cluster. The first start takes the configured id, or generates a random
   * one if none is configured.
   *
   * @throws StartFailure if the configured id differs from the stored one, or the file cannot be
   *     read or written
   */
  public static TargetId ofMember(DataFolder data, Optional<String> wanted) throws StartFailure {
    Optional<TargetId> kept = kept(data);
    if (wanted.isEmpty()) {
      return of(data);
    }
    TargetId id = new TargetId(wanted.orElseThrow());
    requireKept(data, kept, id);
    return kept.isPresent() ? id : keep(data, id);
  }

  private static void requireKept(DataFolder data, Optional<TargetId> kept, TargetId id)
      throws StartFailure {
    if (kept.isPresent() && !kept.orElseThrow().equals(id)) {
      throw new StartFailure(
          "cluster.target-id is "
              + id
              + ", but the data folder "
              + data.path()
              + " is that of "
              + kept.orElseThrow()
              + "; leave target-id away, or give --data the folder of "
              + id);
    }
  }

  private static Optional<TargetId> kept(DataFolder data) throws StartFailure {
    Path file = data.path().resolve(FILE);
    try {
      return Files.exists(file)
          ? Optional.of(new TargetId(Files.readString(file).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new StartFailure(
          "the node's identity in " + file + " cannot be read: " + FailureHandler.message(e), e);
    } catch (IllegalArgumentException e) {
      throw new StartFailure(file + ": " + e.getMessage() + "; restore it from a copy", e);
    }
  }

  private static TargetId keep(DataFolder data, TargetId id) throws StartFailure {
    Path file = data.path().resolve(FILE);
    try {
      SmallFile.write(file, id.value() + "\n");
      return id;
    } catch (IOException e) {
      throw new StartFailure(
          "the node's identity cannot be kept in " + file + ": " + FailureHandler.message(e), e);
    }
  }
}
