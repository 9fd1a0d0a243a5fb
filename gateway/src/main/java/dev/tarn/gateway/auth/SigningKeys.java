package dev.tarn.gateway.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tarn.cluster.control.AccessKey;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Derives and caches the signing keys of version 4: one per access key, day, region and service.
 */
final class SigningKeys {
  private static final int CACHED_COUNT_MAX = 1024;
  private static final String ALGORITHM = "HmacSHA256";

  private final Cache<Name, Derived> derived =
      Caffeine.newBuilder().maximumSize(CACHED_COUNT_MAX).build();

  private record Name(String accessKeyId, String date, String region, String service) {}

  /**
   * A signing key with the secret that it was derived from. An access key id may later belong to
   * another secret.
   */
  private record Derived(String secret, SecretKey signingKey) {}

  SecretKey signingKey(AccessKey key, CredentialScope scope) {
    Name name = new Name(key.id(), scope.date(), scope.region(), scope.service());
    Derived known = derived.getIfPresent(name);
    if (known == null || !known.secret.equals(key.secret())) {
      known = new Derived(key.secret(), derive(key.secret(), scope));
      derived.put(name, known);
    }
    return known.signingKey;
  }

  private static SecretKey derive(String secret, CredentialScope scope) {
    SecretKey key = new SecretKeySpec(("AWS4" + secret).getBytes(UTF_8), ALGORITHM);
    for (String step :
        new String[] {scope.date(), scope.region(), scope.service(), CredentialScope.TERMINATOR}) {
      key = new SecretKeySpec(CanonicalText.ofThread().add(step).hmac(key), ALGORITHM);
    }
    return key;
  }
}
