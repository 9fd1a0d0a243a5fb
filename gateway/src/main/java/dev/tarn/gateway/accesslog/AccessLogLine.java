package dev.tarn.gateway.accesslog;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.http.ExchangeRecord;
import dev.tarn.gateway.request.PercentEncoding;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One request as a JSON object on one line. */
final class AccessLogLine {
  /**
   * Query parameters with secret values: a reader of the log could use them to act for the client.
   */
  private static final List<String> SECRET_PARAMETERS =
      List.of("X-Amz-Signature", "X-Amz-Security-Token", "Signature");

  private AccessLogLine() {}

  static String of(Exchange exchange) {
    HttpServerRequest request = exchange.request();
    ExchangeRecord record = exchange.record();
    SocketAddress client = request.remoteAddress();
    StringBuilder line = new StringBuilder(400).append('{');
    text(line, "time", Instant.now().toString());
    text(line, "request_id", exchange.requestId());
    text(line, "client", client == null ? null : client.hostAddress());
    text(line, "access_key_id", record.accessKeyId());
    text(line, "operation", record.operation());
    text(line, "bucket", record.bucket());
    text(line, "key", record.key());
    text(line, "method", request.method().name());
    text(line, "uri", withoutSecrets(request.uri()));
    number(line, "status", record.status());
    text(line, "error", record.errorCode());
    number(line, "bytes_in", record.bytesIn());
    number(line, "bytes_out", record.bytesOut());
    number(line, "duration_us", TimeUnit.NANOSECONDS.toMicros(record.durationNanos()));
    text(line, "user_agent", request.getHeader("User-Agent"));
    line.append("\"whole\":").append(record.whole());
    return line.append('}').toString();
  }

  /** The URI with the values of signatures and tokens redacted. */
  static String withoutSecrets(String uri) {
    int question = uri.indexOf('?');
    if (question < 0) {
      return uri;
    }
    StringBuilder clean = new StringBuilder(uri.length()).append(uri, 0, question + 1);
    int start = question + 1;
    while (start <= uri.length()) {
      int ampersand = uri.indexOf('&', start);
      int end = ampersand < 0 ? uri.length() : ampersand;
      appendParameter(clean, uri, start, end);
      if (ampersand >= 0) {
        clean.append('&');
      }
      start = end + 1;
    }
    return clean.toString();
  }

  private static void appendParameter(StringBuilder clean, String uri, int start, int end) {
    int equals = uri.indexOf('=', start);
    if (equals >= 0 && equals < end && isSecret(uri.substring(start, equals))) {
      clean.append(uri, start, equals + 1).append("REDACTED");
    } else {
      clean.append(uri, start, end);
    }
  }

  /** Whether a parameter's name, as sent, is the name of a secret after decoding. */
  private static boolean isSecret(String rawName) {
    String name;
    try {
      name = PercentEncoding.decodeQuery(rawName);
    } catch (S3Exception _) {
      // No verifier accepts a name with broken escapes as that of a signature.
      return false;
    }
    return SECRET_PARAMETERS.stream().anyMatch(name::equalsIgnoreCase);
  }

  private static void number(StringBuilder line, String name, long value) {
    line.append('"').append(name).append("\":").append(value).append(',');
  }

  private static void text(StringBuilder line, String name, @Nullable String value) {
    if (value == null) {
      return;
    }
    line.append('"').append(name).append("\":\"");
    for (int index = 0; index < value.length(); index++) {
      char character = value.charAt(index);
      if (character == '"' || character == '\\') {
        line.append('\\').append(character);
      } else if (character < ' ' || Character.isSurrogate(character)) {
        line.append("\\u%04x".formatted((int) character));
      } else {
        line.append(character);
      }
    }
    line.append("\",");
  }
}
