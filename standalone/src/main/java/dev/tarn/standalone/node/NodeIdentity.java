package dev.tarn.standalone.node;

import dev.tarn.cluster.map.TargetId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Who this node is, for ever: an id made at the first start and kept in the data folder. */
public final class NodeIdentity {
  private static final String FILE = "node-id";
  private static final int RANDOM_BYTES = 8;

  private NodeIdentity() {}

  /** The node's id. */
  public static TargetId of(DataFolder data) throws StartFailure {
    Path file = data.path().resolve(FILE);
    try {
      if (!Files.exists(file)) {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        SmallFile.write(file, "node-" + HexFormat.of().formatHex(random) + "\n");
      }
      return new TargetId(Files.readString(file).strip());
    } catch (IOException e) {
      throw new StartFailure("the node's identity in " + file + " cannot be used: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartFailure(file + ": " + e.getMessage() + "; restore it from a copy", e);
    }
  }
}
