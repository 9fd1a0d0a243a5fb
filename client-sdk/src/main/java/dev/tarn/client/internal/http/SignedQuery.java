package dev.tarn.client.internal.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The query of a presigned URL. */
public final class SignedQuery {
  /** Prefixes of the parameters of S3's and Google's signatures of version 4. */
  private static final List<String> PREFIXES = List.of("x-amz-", "x-goog-");

  /** Parameters of a signature beside Signature: S3's version 2, CloudFront, Google. */
  private static final Set<String> WITH_SIGNATURE =
      Set.of(
          "signature",
          "expires",
          "awsaccesskeyid",
          "googleaccessid",
          "key-pair-id",
          "policy",
          "hash-algorithm");

  /** Parameters of Azure's shared access signatures, beside sig and sv. */
  private static final Set<String> WITH_SIG =
      Set.of(
          "sig", "sv", "ss", "srt", "sr", "sp", "st", "se", "spr", "sip", "si", "sdd", "skoid",
          "sktid", "skt", "ske", "sks", "skv", "saoid", "suoid", "scid");

  private SignedQuery() {}

  /** The query without the parameters of its signature; empty if none remains. */
  public static String unsigned(String query) {
    List<String> parameters = Arrays.asList(query.split("&", -1));
    Set<String> names = parameters.stream().map(SignedQuery::name).collect(Collectors.toSet());
    boolean hasSignature = names.contains("signature");
    boolean hasSig = names.contains("sig") && names.contains("sv");
    return parameters.stream()
        .filter(parameter -> {
          String name = name(parameter);
          return PREFIXES.stream().noneMatch(name::startsWith)
              && !(hasSignature && WITH_SIGNATURE.contains(name))
              && !(hasSig && WITH_SIG.contains(name));
        })
        .collect(Collectors.joining("&"));
  }

  private static String name(String parameter) {
    int end = parameter.indexOf('=');
    return (end < 0 ? parameter : parameter.substring(0, end)).toLowerCase(Locale.ROOT);
  }
}
