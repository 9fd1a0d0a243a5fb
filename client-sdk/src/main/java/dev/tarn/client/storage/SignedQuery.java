package dev.tarn.client.storage;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The query of an address that was signed for a while. */
final class SignedQuery {
  /** S3's and Google's signatures of version 4; no service has other parameters so called. */
  private static final List<String> PREFIXES = List.of("x-amz-", "x-goog-");

  /** What goes with a parameter Signature: of S3's version 2, of CloudFront, of Google. */
  private static final Set<String> WITH_SIGNATURE =
      Set.of(
          "signature",
          "expires",
          "awsaccesskeyid",
          "googleaccessid",
          "key-pair-id",
          "policy",
          "hash-algorithm");

  /** What goes with a parameter sig, and one sv: Azure's shared access signatures. */
  private static final Set<String> WITH_SIG =
      Set.of(
          "sig", "sv", "ss", "srt", "sr", "sp", "st", "se", "spr", "sip", "si", "sdd", "skoid",
          "sktid", "skt", "ske", "sks", "skv", "saoid", "suoid", "scid");

  private SignedQuery() {}

  /** The parameters that are not of a signature, in their order; empty if none is left. */
  static String unsigned(String query) {
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
