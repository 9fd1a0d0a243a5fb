package dev.tarn.cluster.capability;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets that the cluster's members share, each with an id. One of them signs; all of them
 * verify. A secret can therefore be replaced while the cluster runs: first every member gets the
 * new one, then every member signs with it, then the old one is removed. {@code toString} hides the
 * secrets. Immutable.
 */
public final class ClusterSecrets {
  /** The least number of bytes of a secret. */
  public static final int SECRET_BYTES_MIN = 32;

  private static final byte[] SEAL_LABEL =
      "tarn sealed messages".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] AUTHORITY_LABEL =
      "tarn certificate authority".getBytes(StandardCharsets.US_ASCII);

  private final String grantingId;
  private final Map<String, MacKey> keys = new HashMap<>();

  /**
   * Checks and takes these secrets.
   *
   * @param grantingId the id of the secret that signs
   * @param secrets by id; an id has 1 to 32 of a-z, A-Z, 0-9, '_' and '-'
   */
  public ClusterSecrets(String grantingId, Map<String, byte[]> secrets) {
    this.grantingId = requireNonNull(grantingId, "grantingId is null");
    secrets.forEach((id, secret) -> {
      if (!id.matches("[a-zA-Z0-9_-]{1,32}")) {
        throw new IllegalArgumentException(
            "id of cluster secret is '" + id + "', must be 1 to 32 of a-z, A-Z, 0-9, _ and -");
      }
      if (secret.length < SECRET_BYTES_MIN) {
        throw new IllegalArgumentException(
            "cluster secret "
                + id
                + " has "
                + secret.length
                + " bytes, must have at least "
                + SECRET_BYTES_MIN);
      }
      keys.put(id, new MacKey(secret));
    });
    if (!keys.containsKey(grantingId)) {
      throw new IllegalArgumentException("there is no cluster secret of the id " + grantingId);
    }
  }

  /** One secret with the id "1". */
  public static ClusterSecrets of(byte[] secret) {
    return new ClusterSecrets("1", Map.of("1", secret));
  }

  String grantingId() {
    return grantingId;
  }

  Optional<MacKey> key(String id) {
    return Optional.ofNullable(keys.get(id));
  }

  /**
   * The key for sealing messages, derived from this secret. It differs from the key for
   * capabilities.
   */
  Optional<SecretKeySpec> sealKey(String id) {
    return key(id).map(key -> new SecretKeySpec(key.sign(SEAL_LABEL), "AES"));
  }

  /**
   * The keys from which members derive the authorities of their certificates: that of the secret
   * that signs first, then those of the others. They differ from all other keys.
   */
  public List<SecretKey> authorityKeys() {
    return Stream.concat(
            Stream.of(grantingId),
            keys.keySet().stream().filter(id -> !id.equals(grantingId)).sorted())
        .<SecretKey>map(id ->
            new SecretKeySpec(
                requireNonNull(keys.get(id), "no key").sign(AUTHORITY_LABEL), "Generic"))
        .toList();
  }

  @Override
  public String toString() {
    return "cluster secrets " + keys.keySet() + ", granting by " + grantingId;
  }
}
