package dev.tarn.standalone;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.standalone.config.ClusterConfig;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/** The capabilities that a process grants and believes by the secret in its configuration. */
final class ClusterAccess {
  private static final Set<PosixFilePermission> OWNER =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private ClusterAccess() {}

  static Capabilities of(ClusterConfig cluster, InstantSource clock) throws StartFailure {
    Path file =
        cluster
            .secretFile()
            .orElseThrow(() ->
                new StartFailure(
                    "cluster.secret-file is not set; gateways and targets need the same file of"
                        + " at least "
                        + ClusterSecrets.SECRET_BYTES_MIN
                        + " random bytes"));
    try {
      if (!OWNER.containsAll(Files.getPosixFilePermissions(file))) {
        throw new StartFailure("others can read the cluster's secret; chmod 600 " + file);
      }
      byte[] secret = Files.readAllBytes(file);
      String id = cluster.secretId();
      return new Capabilities(new ClusterSecrets(id, Map.of(id, secret)), clock);
    } catch (IOException e) {
      throw new StartFailure("the cluster's secret in " + file + " cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartFailure("the secret in " + file + ": " + e.getMessage(), e);
    }
  }
}
