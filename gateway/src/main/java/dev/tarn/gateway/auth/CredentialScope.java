package dev.tarn.gateway.auth;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * The scope in which a signature of version 4 is valid.
 *
 * @param accessKeyId of the signer; may itself contain slashes
 * @param date {@code yyyyMMdd}
 * @param region any
 * @param service s3
 */
record CredentialScope(String accessKeyId, String date, String region, String service) {
  static final String TERMINATOR = "aws4_request";
  static final String SERVICE = "s3";

  private static final int REGION_LENGTH_MAX = 64;

  CredentialScope {
    requireNonNull(accessKeyId, "accessKeyId is null");
    requireNonNull(date, "date is null");
    requireNonNull(region, "region is null");
    requireNonNull(service, "service is null");
  }

  /** Parses {@code id/date/region/s3/aws4_request}; empty if the text has another form. */
  static Optional<CredentialScope> parse(String credential) {
    int end = credential.length() - TERMINATOR.length() - 1;
    int service = credential.lastIndexOf('/', end - 1);
    int region = credential.lastIndexOf('/', service - 1);
    int date = credential.lastIndexOf('/', region - 1);
    if (date <= 0 || credential.charAt(end) != '/' || !credential.endsWith(TERMINATOR)) {
      return Optional.empty();
    }
    CredentialScope scope =
        new CredentialScope(
            credential.substring(0, date),
            credential.substring(date + 1, region),
            credential.substring(region + 1, service),
            credential.substring(service + 1, end));
    return Optional.of(scope).filter(CredentialScope::isLegal);
  }

  private boolean isLegal() {
    return service.equals(SERVICE) && !region.isEmpty() && region.length() <= REGION_LENGTH_MAX;
  }

  /** {@code date/region/service/aws4_request}. */
  String text() {
    return date + '/' + region + '/' + service + '/' + TERMINATOR;
  }
}
