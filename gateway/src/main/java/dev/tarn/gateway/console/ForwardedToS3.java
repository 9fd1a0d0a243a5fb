package dev.tarn.gateway.console;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.ext.web.RoutingContext;
import io.vertx.httpproxy.HttpProxy;
import io.vertx.httpproxy.ProxyContext;
import io.vertx.httpproxy.ProxyInterceptor;
import io.vertx.httpproxy.ProxyResponse;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Forwards requests of the console to the S3 listener of this process. The parameter {@code target}
 * has the path and the query that were signed, because browsers change paths with empty parts or
 * dots. The Host header stays, since it is signed, too.
 *
 * <p>Only signed requests are forwarded: an anonymous one would come from this host's address,
 * which a bucket policy may trust. What S3 answers is never a page of this origin: it is sandboxed.
 */
final class ForwardedToS3 implements Handler<RoutingContext> {
  /** Where the requests come. */
  static final String PATH = "/s3";

  private static final String TARGET = "target";
  private static final int CONNECTIONS_MAX = 32;

  private final Supplier<Optional<URI>> s3;
  private final HttpProxy proxy;

  ForwardedToS3(Vertx vertx, Supplier<Optional<URI>> s3) {
    this.s3 = requireNonNull(s3, "s3 is null");
    // The listener is this process itself, so its certificate proves nothing.
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setTrustAll(true).setVerifyHost(false),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
    this.proxy =
        HttpProxy.reverseProxy(client)
            .origin(context -> context.client().request(listener()))
            .addInterceptor(new Forwarding());
  }

  private RequestOptions listener() {
    URI address = s3.get().orElseThrow();
    return new RequestOptions()
        .setHost(address.getHost())
        .setPort(address.getPort())
        .setSsl(address.getScheme().equals("https"));
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    // A malformed query is answered with 400 here; getParam would throw, which becomes 500.
    List<String> targets = context.queryParam(TARGET);
    String target = targets.isEmpty() ? "" : targets.getFirst();
    if (!target.startsWith("/")) {
      refuse(context, 400, "the parameter target is missing, must be a path such as /bucket/key");
    } else if (!isSigned(request, target)) {
      refuse(context, 403, "this path forwards signed requests only");
    } else if (s3.get().isEmpty()) {
      refuse(context, 503, "this process serves no S3; open the console of a gateway");
    } else {
      request.params().set(TARGET, target); // What is forwarded is what was checked.
      proxy.handle(request);
    }
  }

  private static boolean isSigned(HttpServerRequest request, String target) {
    int query = target.indexOf('?');
    return request.headers().contains(HttpHeaders.AUTHORIZATION)
        || (query >= 0 && ("&" + target.substring(query + 1)).contains("&X-Amz-Signature="));
  }

  private static void refuse(RoutingContext context, int status, String message) {
    context
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain")
        .end(message + "\n");
  }

  /** Gives the request its own target, and makes the answer harmless to this origin. */
  private static final class Forwarding implements ProxyInterceptor {
    @Override
    public Future<ProxyResponse> handleProxyRequest(ProxyContext context) {
      HttpServerRequest request = context.request().proxiedRequest();
      context.request().setURI(requireNonNull(request.getParam(TARGET), "target was checked"));
      context.request().setAuthority(request.authority());
      return context.sendRequest();
    }

    @Override
    public Future<Void> handleProxyResponse(ProxyContext context) {
      MultiMap headers = context.response().headers();
      headers.set("content-security-policy", "sandbox; default-src 'none'");
      headers.set("x-content-type-options", "nosniff");
      headers.set("cross-origin-resource-policy", "same-origin");
      return context.sendResponse();
    }
  }
}
