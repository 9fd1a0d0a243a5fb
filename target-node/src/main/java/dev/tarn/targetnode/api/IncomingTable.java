package dev.tarn.targetnode.api;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.SettingsTable;
import dev.tarn.cluster.wire.WireException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One published table of bucket settings: its sender is judged by the headers before a byte of the
 * body is kept. 204 where it is in force, 409 where another one stays in force.
 */
final class IncomingTable {
  private static final Logger LOG = LoggerFactory.getLogger(IncomingTable.class);

  private final Context context;
  private final HttpServerRequest http;
  private final Capabilities capabilities;
  private final SettingsReceiver receiver;

  IncomingTable(
      Context context,
      HttpServerRequest http,
      Capabilities capabilities,
      SettingsReceiver receiver) {
    this.context = context;
    this.http = http;
    this.capabilities = capabilities;
    this.receiver = receiver;
  }

  void start() {
    String length = header("content-length");
    String version = header(HttpBinding.SETTINGS_VERSION_HEADER);
    if (!length.matches("[0-9]{1,9}") || Integer.parseInt(length) > SettingsTable.BYTES_MAX) {
      refuse(413, "The table's content-length must be 0 to " + SettingsTable.BYTES_MAX + ".");
      return;
    }
    if (!version.matches("[0-9]{1,18}")) {
      refuse(400, HttpBinding.SETTINGS_VERSION_HEADER + " must be the table's version.");
      return;
    }
    Grant grant = Grant.ofSettings(Long.parseLong(version));
    Optional<Failure> forbidden = capabilities.refuse(header(HttpBinding.CAPABILITY_HEADER), grant);
    if (forbidden.isPresent()) {
      refuse(403, forbidden.orElseThrow().message());
      return;
    }
    http.body().onSuccess(body -> take(Long.parseLong(version), body));
  }

  private void take(long version, Buffer body) {
    try {
      SettingsTable table = SettingsTable.decode(body.getBytes());
      if (table.version() != version) {
        refuse(400, "The table has another version than its header.");
        return;
      }
      context.executeBlocking(() -> receiver.offer(table)).onComplete(this::answer);
    } catch (WireException malformed) {
      refuse(400, "The table cannot be read: " + malformed.getMessage());
    }
  }

  private void answer(AsyncResult<Optional<String>> offered) {
    if (offered.failed()) {
      LOG.error("bucket settings cannot be kept; the older ones stay in force", offered.cause());
      refuse(500, "The table cannot be kept.");
    } else if (offered.result().isPresent()) {
      LOG.warn("{}", offered.result().orElseThrow());
      refuse(409, offered.result().orElseThrow());
    } else {
      http.response().setStatusCode(204).end();
    }
  }

  /** The rest of the body, if there is one, goes with the connection. */
  private void refuse(int status, String reason) {
    http.response()
        .setStatusCode(status)
        .putHeader("connection", "close")
        .end(reason + "\n")
        .onComplete(ended -> http.connection().close());
  }

  private String header(String name) {
    String value = http.getHeader(name);
    return value == null ? "" : value;
  }
}
