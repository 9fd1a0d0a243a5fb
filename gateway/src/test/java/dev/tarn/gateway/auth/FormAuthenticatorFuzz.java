package dev.tarn.gateway.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.User;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signed forms under change, a field a line. What still holds has a policy that was signed. */
class FormAuthenticatorFuzz extends ParserFuzz {
  private static final List<String> POLICIES =
      List.of("eyJleHBpcmF0aW9uIjoiMjA5OSJ9", "e30=", "YQ==");

  private final FormAuthenticator authenticator =
      new FormAuthenticator(id ->
          id.equals(ExampleRequests.KEY.id())
              ? Optional.of(new Credential(ExampleRequests.KEY, ExampleRequests.USER))
              : Optional.empty());

  FormAuthenticatorFuzz() {
    super(signed(), Set.of(S3Exception.class));
  }

  private static List<byte[]> signed() {
    List<byte[]> forms = new ArrayList<>();
    for (String policy : POLICIES) {
      forms.add(version4(policy, "20130524", "us-east-1").getBytes(UTF_8));
      forms.add(version4(policy, "20260101", "x").getBytes(UTF_8));
      forms.add(version2(policy).getBytes(UTF_8));
    }
    forms.add("key=a\nacl=private".getBytes(UTF_8));
    return forms;
  }

  private static String version4(String policy, String date, String region) {
    byte[] key = ("AWS4" + ExampleRequests.KEY.secret()).getBytes(UTF_8);
    for (String step : List.of(date, region, "s3", "aws4_request")) {
      key = hmac("HmacSHA256", key, step);
    }
    return """
    key=a
    x-amz-algorithm=AWS4-HMAC-SHA256
    x-amz-credential=%s/%s/%s/s3/aws4_request
    x-amz-date=%sT010203Z
    policy=%s
    x-amz-signature=%s\
    """
        .formatted(
            ExampleRequests.KEY.id(),
            date,
            region,
            date,
            policy,
            HexFormat.of().formatHex(hmac("HmacSHA256", key, policy)));
  }

  private static String version2(String policy) {
    byte[] key = ExampleRequests.KEY.secret().getBytes(UTF_8);
    return "AWSAccessKeyId=%s\npolicy=%s\nsignature=%s\nkey=a"
        .formatted(
            ExampleRequests.KEY.id(),
            policy,
            Base64.getEncoder().encodeToString(hmac("HmacSHA1", key, policy)));
  }

  private static byte[] hmac(String algorithm, byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected void parse(FuzzInput input) {
    Map<String, String> fields = new HashMap<>();
    for (String line : input.text().split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        fields.put(line.substring(0, equals).toLowerCase(Locale.ROOT), line.substring(equals + 1));
      }
    }
    Optional<User> user = authenticator.authenticate(name -> Optional.ofNullable(fields.get(name)));
    if (user.isPresent()) {
      assertThat(user).contains(ExampleRequests.USER);
      assertThat(fields.get("policy")).isIn(POLICIES);
      assertThat(fields.getOrDefault("awsaccesskeyid", "") + fields.get("x-amz-credential"))
          .contains(ExampleRequests.KEY.id());
    } else {
      assertThat(fields).doesNotContainKeys("policy", "signature", "x-amz-signature");
    }
  }

  @Override
  protected List<String> vocabulary() {
    return List.of(
        "\nkey=b",
        "\npolicy=",
        "\nsignature=",
        "\nx-amz-signature=",
        "\nx-amz-date=20130524T235959Z",
        "\nx-amz-algorithm=AWS4-HMAC-SHA256",
        "AWS4-ECDSA-P256-SHA256",
        "/20130524/us-east-1/s3/aws4_request",
        "/aws4_request",
        "20130524T240000Z",
        "AKIAIOSFODNN7EXAMPLE",
        "e30=",
        "\u212A");
  }
}
