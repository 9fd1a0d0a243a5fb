package dev.tarn.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.AccessKey;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigningKeysTest {
  private static final String SCOPE = "id/20260102/eu-west-1/s3/aws4_request";

  private final SigningKeys keys = new SigningKeys();

  @Test
  void keyIsDerivedOnceForItsPairDayAndRegion() {
    assertThat(key("id", "the secret", SCOPE)).isSameAs(key("id", "the secret", SCOPE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other/20260102/eu-west-1/s3/aws4_request",
        "id/20260103/eu-west-1/s3/aws4_request",
        "id/20260102/eu-west-2/s3/aws4_request",
      })
  void keyOfAnotherPairDayOrRegionIsAnother(String scope) {
    String id = scope.substring(0, scope.indexOf('/'));
    SecretKey known = key("id", "the secret", SCOPE);

    SecretKey other = key(id, id.equals("id") ? "the secret" : "another secret", scope);

    assertThat(other.getEncoded()).isNotEqualTo(known.getEncoded());
    assertThat(key("id", "the secret", SCOPE)).isSameAs(known);
  }

  private SecretKey key(String id, String secret, String scope) {
    return keys.signingKey(
        new AccessKey(id, secret, "user", 0), CredentialScope.parse(scope).orElseThrow());
  }
}
