package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import javax.crypto.SecretKey;

/**
 * Verifies the signatures of forms, versions 4 and 2. Both sign the policy exactly as the form has
 * it.
 */
public final class FormAuthenticator {
  private final Function<String, Optional<Credential>> credentials;
  private final SigningKeys signingKeys = new SigningKeys();

  /** Verifies with these key pairs. The function that finds a key pair may block. */
  public FormAuthenticator(Function<String, Optional<Credential>> credentials) {
    this.credentials = requireNonNull(credentials, "credentials is null");
  }

  /**
   * The user who signed; empty if the form has neither a signature nor a policy.
   *
   * @param fields finds a field by its name in lower case
   * @throws S3Exception AccessDenied for a signature without a policy, InvalidArgument for a policy
   *     without a signature or for an invalid field, InvalidAccessKeyId, SignatureDoesNotMatch
   */
  public Optional<User> authenticate(Function<String, Optional<String>> fields) {
    Optional<String> version4 = fields.apply("x-amz-signature");
    Optional<String> version2 = fields.apply("signature");
    Optional<String> policy = fields.apply("policy");
    if (policy.isEmpty() && version4.isEmpty() && version2.isEmpty()) {
      return Optional.empty();
    }
    String signed = policy.orElseThrow(() -> S3Exception.of(S3ErrorCode.ACCESS_DENIED));
    if (version4.isPresent()) {
      return Optional.of(authenticateV4(fields, signed, version4.orElseThrow()));
    }
    return Optional.of(
        authenticateV2(signed, required(fields, "awsaccesskeyid"), required(fields, "signature")));
  }

  private User authenticateV4(
      Function<String, Optional<String>> fields, String policy, String signatureHex) {
    String algorithm = required(fields, "x-amz-algorithm");
    if (!algorithm.equals(SignatureV4.ALGORITHM)) {
      throw invalid("x-amz-algorithm", algorithm);
    }
    String text = required(fields, "x-amz-credential");
    CredentialScope scope =
        CredentialScope.parse(text).orElseThrow(() -> invalid("x-amz-credential", text));
    String date = required(fields, "x-amz-date");
    SignatureTime time = SignatureTime.parse(date);
    if (time == null || !time.isOn(scope.date())) {
      throw invalid("x-amz-date", date);
    }
    Credential credential = credential(scope.accessKeyId());
    SecretKey key = signingKeys.signingKey(credential.key(), scope);
    byte[] expected = CanonicalText.ofThread().add(policy).hmac(key);
    return judged(credential, HexFormat.of().formatHex(expected), signatureHex);
  }

  private User authenticateV2(String policy, String accessKeyId, String signature) {
    Credential credential = credential(accessKeyId);
    String expected = SignatureV2Verifier.sign(credential.key().secret(), policy);
    return judged(credential, expected, signature);
  }

  private Credential credential(String accessKeyId) {
    return credentials
        .apply(accessKeyId)
        .orElseThrow(() ->
            S3Exception.of(S3ErrorCode.INVALID_ACCESS_KEY_ID).with("AWSAccessKeyId", accessKeyId));
  }

  private static User judged(Credential credential, String expected, String provided) {
    if (!ConstantTime.equal(expected, provided)) {
      throw S3Exception.of(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH)
          .with("AWSAccessKeyId", credential.key().id())
          .with("SignatureProvided", provided);
    }
    return credential.user();
  }

  private static String required(Function<String, Optional<String>> fields, String name) {
    return fields
        .apply(name)
        .orElseThrow(() ->
            S3Exception.of(
                    S3ErrorCode.INVALID_ARGUMENT,
                    "Bucket POST must contain a field named '" + name + "'.")
                .with("ArgumentName", name));
  }

  private static S3Exception invalid(String name, String value) {
    return S3Exception.of(S3ErrorCode.INVALID_ARGUMENT, "The field " + name + " is not valid.")
        .with("ArgumentName", name)
        .with("ArgumentValue", value);
  }
}
