package dev.tarn.gateway.auth;

import dev.tarn.gateway.auth.CanonicalRequest.Form;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * Verifies signatures of version 4.
 *
 * <p>Clients encode path and query in different ways before they sign. The verifier therefore tries
 * several forms: as AWS encodes them, as they were sent, and with the slashes of the path
 * unescaped. All forms stand for the same key and parameters, so no form accepts a different
 * request.
 */
final class SignatureV4Verifier {
  private static final Duration SKEW_MAX = Duration.ofMinutes(15);

  /** Limits the work: each name is searched among all headers. */
  private static final int SIGNED_NAMES_MAX = 256;

  private final CredentialSource credentials;
  private final SigningKeys signingKeys = new SigningKeys();

  SignatureV4Verifier(CredentialSource credentials) {
    this.credentials = credentials;
  }

  Authentication verifyHeader(RequestHead head, String authorization) {
    SignatureV4 signature = SignatureV4.ofHeader(authorization, head.headers());
    String contentSha256 = head.headers().first(ContentSha256.HEADER);
    if (contentSha256 == null) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "Missing required header for this request: " + ContentSha256.HEADER);
    }
    Credential credential = credential(signature);
    Duration skew = Duration.between(signature.time().instant(), head.arrival()).abs();
    if (skew.compareTo(SKEW_MAX) > 0) {
      throw S3Exception.of(S3ErrorCode.REQUEST_TIME_TOO_SKEWED)
          .with("RequestTime", signature.time().text())
          .with("ServerTime", head.arrival().toString())
          .with("MaxAllowedSkewMilliseconds", Long.toString(SKEW_MAX.toMillis()));
    }
    return verify(head, signature, credential, contentSha256, contentSha256);
  }

  Authentication verifyQuery(RequestHead head) {
    PresignedQuery presigned = PresignedQuery.read(head.query());
    SignatureV4 signature = presigned.signature();
    Credential credential = credential(signature);
    Instant signed = signature.time().instant();
    if (signed.isAfter(head.arrival().plus(SKEW_MAX))) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED, "Request is not valid yet")
          .with("X-Amz-Date", signature.time().text())
          .with("ServerTime", head.arrival().toString());
    }
    if (!head.arrival().isBefore(presigned.expires())) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED, "Request has expired")
          .with("Expires", presigned.expires().toString())
          .with("ServerTime", head.arrival().toString());
    }
    String header = head.headers().first(ContentSha256.HEADER);
    String parameter = head.query().first("X-Amz-Content-Sha256");
    boolean headerSigned = signature.signedHeaderNames().contains(ContentSha256.HEADER);
    String hash = headerSigned ? header : parameter;
    // The signed value decides how the body is verified. An unsigned header that somebody added
    // must not disable the verification.
    return verify(
        head,
        signature,
        credential,
        hash == null ? ContentSha256.UNSIGNED : hash,
        hash == null ? header : hash);
  }

  private Credential credential(SignatureV4 signature) {
    String accessKeyId = signature.scope().accessKeyId();
    Credential credential = credentials.find(accessKeyId);
    if (credential == null) {
      throw S3Exception.of(S3ErrorCode.INVALID_ACCESS_KEY_ID).with("AWSAccessKeyId", accessKeyId);
    }
    return credential;
  }

  /** Verifies the signature and decides how the body is verified. */
  private Authentication verify(
      RequestHead head,
      SignatureV4 signature,
      Credential credential,
      String payloadHash,
      @Nullable String contentSha256) {
    List<String> signedNames = signature.signedHeaderNames();
    requireEachOnce(signedNames);
    requireSigned(head.headers(), signedNames);
    SecretKey key = signingKeys.signingKey(credential.key(), signature.scope());
    if (!holds(head, signature, signedNames, payloadHash, key, Form.ENCODED_ONCE)
        && !holds(head, signature, signedNames, payloadHash, key, Form.AS_SENT)
        && !(head.rawPath().contains(CanonicalRequest.ESCAPED_SLASH)
            && holds(head, signature, signedNames, payloadHash, key, Form.SLASHES_UNESCAPED))) {
      throw mismatch(head, signature, signedNames, payloadHash);
    }
    SignatureChain chain =
        contentSha256 != null && ContentSha256.chainsSignatures(contentSha256)
            ? new SignatureChain(
                key, signature.time().text(), signature.scope().text(), signature.signatureHex())
            : null;
    return new Authentication.Authenticated(
        credential.user(),
        credential.key().id(),
        signature.scheme(),
        ContentSha256.plan(contentSha256, chain));
  }

  /**
   * Refuses a list that makes the signed text far longer than the request. A name that the list
   * repeats a thousand times would add its value a thousand times.
   */
  private static void requireEachOnce(List<String> signedNames) {
    boolean ascending = true;
    for (int i = 1; ascending && i < signedNames.size(); i++) {
      ascending = signedNames.get(i - 1).compareTo(signedNames.get(i)) < 0;
    }
    if (signedNames.size() > SIGNED_NAMES_MAX
        || (!ascending && new HashSet<>(signedNames).size() < signedNames.size())) {
      throw S3Exception.of(
          S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED,
          "SignedHeaders may name each header once, and " + SIGNED_NAMES_MAX + " headers at most.");
    }
  }

  /**
   * Refuses a request with an unsigned host, or with an unsigned header that changes its meaning.
   * Otherwise the holder of a presigned PUT could turn it into a copy.
   */
  private static void requireSigned(Headers headers, List<String> signedNames) {
    if (!signedNames.contains("host")) {
      throw notSigned("host");
    }
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.nameAt(i);
      if (changesMeaning(name) && !signedNames.contains(name) && !isBoundOtherwise(name)) {
        throw notSigned(name);
      }
    }
  }

  private static boolean changesMeaning(String name) {
    return name.startsWith("x-amz-") || name.startsWith("x-tarn-");
  }

  /** The signed text contains these values, whether or not the list names them. */
  private static boolean isBoundOtherwise(String name) {
    return name.equals(ContentSha256.HEADER) || name.equals("x-amz-date");
  }

  private static S3Exception notSigned(String name) {
    return S3Exception.of(
            S3ErrorCode.ACCESS_DENIED,
            "There were headers present in the request which were not signed")
        .with("HeadersNotSigned", name);
  }

  private static boolean holds(
      RequestHead head,
      SignatureV4 signature,
      List<String> signedNames,
      String payloadHash,
      SecretKey key,
      Form form) {
    CanonicalText text = CanonicalText.ofThread();
    CanonicalRequest.write(text, head, signature, signedNames, payloadHash, form);
    writeStringToSign(text, signature);
    return signature.is(HexFormat.of().formatHex(text.hmac(key)));
  }

  /** Replaces the canonical request with the string to sign. */
  private static void writeStringToSign(CanonicalText text, SignatureV4 signature) {
    byte[] canonicalSha256 = text.sha256();
    text.clear()
        .add(SignatureV4.ALGORITHM)
        .add('\n')
        .add(signature.time().text())
        .add('\n')
        .add(signature.scope().text())
        .add('\n')
        .addHex(canonicalSha256);
  }

  private static S3Exception mismatch(
      RequestHead head, SignatureV4 signature, List<String> signedNames, String payloadHash) {
    CanonicalText text = CanonicalText.ofThread();
    CanonicalRequest.write(text, head, signature, signedNames, payloadHash, Form.ENCODED_ONCE);
    String canonicalRequest = text.toString();
    writeStringToSign(text, signature);
    return S3Exception.of(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH)
        .with("AWSAccessKeyId", signature.scope().accessKeyId())
        .with("StringToSign", text.toString())
        .with("SignatureProvided", signature.signatureHex())
        .with("CanonicalRequest", canonicalRequest);
  }
}
