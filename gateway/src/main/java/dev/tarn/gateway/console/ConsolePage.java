package dev.tarn.gateway.console;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.console.ConsoleFiles.ConsoleFile;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the console on the admin listener: its files, and under {@code /s3} what it asks of S3.
 * The page is public and holds no data. Each request that it makes is signed in the browser.
 */
public final class ConsolePage {
  /** The page runs no script but its own, talks to no other host, and is in no frame. */
  private static final String PAGE_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
          + " media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private static final String FOR_A_YEAR = "public, max-age=31536000, immutable";

  private final Vertx vertx;
  private final Supplier<Optional<URI>> s3;

  /**
   * Creates the console.
   *
   * @param s3 the S3 listener of this process; empty if there is none
   */
  public ConsolePage(Vertx vertx, Supplier<Optional<URI>> s3) {
    this.vertx = requireNonNull(vertx, "vertx is null");
    this.s3 = requireNonNull(s3, "s3 is null");
  }

  /** Registers the paths of the console. */
  public void register(Router router) {
    Map<String, ConsoleFile> files = ConsoleFiles.all();
    ConsoleFile page = files.remove(ConsoleFiles.PAGE);
    if (page == null) {
      router.get("/").handler(ConsolePage::explainAbsence);
      return;
    }
    router.get("/").handler(context -> send(context, page, "no-cache"));
    files.forEach(
        (name, file) -> router.get("/" + name).handler(context -> send(context, file, FOR_A_YEAR)));
    router.route(ForwardedToS3.PATH).handler(new ForwardedToS3(vertx, s3));
  }

  private static void explainAbsence(RoutingContext context) {
    context
        .response()
        .setStatusCode(404)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain")
        .end("This build of Tarn has no console. The admin API is described in /openapi.json.\n");
  }

  /** Names of all files but the page contain a hash of their content. */
  private static void send(RoutingContext context, ConsoleFile file, String caching) {
    HttpServerResponse response = context.response();
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, file.type())
        .putHeader(HttpHeaders.CACHE_CONTROL, caching)
        .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
        .putHeader("content-security-policy", PAGE_POLICY)
        .putHeader("cross-origin-opener-policy", "same-origin")
        .putHeader("cross-origin-resource-policy", "same-origin")
        .putHeader("referrer-policy", "no-referrer")
        .putHeader("x-content-type-options", "nosniff");
    String accepted = context.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
    if (accepted != null && accepted.contains("gzip")) {
      response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip").end(file.zipped());
    } else {
      response.end(file.plain());
    }
  }
}
