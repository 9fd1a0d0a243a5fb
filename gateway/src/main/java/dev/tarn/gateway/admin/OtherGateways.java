package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.profile.LoadTotals;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the other gateways for their part of the profile, with the signed request of the user who
 * asks this gateway. All gateways have the same users, so each verifies the signature itself.
 */
final class OtherGateways {
  /**
   * The request header that asks a gateway for its own sums alone. Its name must not begin with
   * x-amz- or x-tarn-: such headers must be signed.
   */
  static final String OWN_HEADER = "tarn-own-profile";

  /** The field of such an answer that names the process. */
  static final String PROCESS_FIELD = "process";

  /** Headers of the connection between the user and this gateway. */
  private static final List<String> NOT_FORWARDED =
      List.of("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade");

  private static final int CONNECT_MS_MAX = 1_000;
  private static final int WAITING_MAX = 32;
  private static final int ANSWER_MS_MAX = 2_000;
  private static final int ANSWER_BYTES_MAX = 4 << 20;

  private final List<HostAndPort> places;
  private final HttpClient client;

  /**
   * The gateways at these places.
   *
   * @param places {@code host:port} of admin listeners; a host may have several addresses
   */
  OtherGateways(Vertx vertx, List<String> places) {
    this.places =
        places.stream()
            .map(place -> requireNonNull(HostAndPort.parseAuthority(place, -1), "checked before"))
            .toList();
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout(CONNECT_MS_MAX)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout(2 * ANSWER_MS_MAX),
            new PoolOptions().setMaxWaitQueueSize(WAITING_MAX));
  }

  /**
   * The sums of gateways.
   *
   * @param totals of all that answered, and of this one
   * @param gateways how many these are
   * @param silent those that did not answer, with the reason
   */
  record Answers(LoadTotals totals, int gateways, List<String> silent) {}

  /** Adds the sums of the other gateways to those of this one. Blocks for at most a few seconds. */
  Answers added(LoadTotals own, String ownProcess, HttpServerRequest signed) {
    Set<String> processes = new LinkedHashSet<>(Set.of(ownProcess));
    List<String> silent = new ArrayList<>();
    LoadTotals sum = own;
    for (Map.Entry<SocketAddress, Future<JsonObject>> asked : ask(signed, silent).entrySet()) {
      try {
        JsonObject answer = asked.getValue().toCompletionStage().toCompletableFuture().join();
        LoadTotals totals = LoadTotals.of(answer);
        if (processes.add(answer.getString(PROCESS_FIELD))) {
          sum = sum.plus(totals);
        }
      } catch (CompletionException e) {
        silent.add(asked.getKey() + ": " + reason(e));
      } catch (RuntimeException malformed) {
        silent.add(asked.getKey() + ": its answer cannot be read; it may be of another release");
      }
    }
    return new Answers(sum, processes.size(), silent);
  }

  private static String reason(CompletionException e) {
    if (e.getCause() instanceof TimeoutException) {
      return "it gave no answer within " + ANSWER_MS_MAX / 1000 + " s";
    }
    return String.valueOf(e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
  }

  private Map<SocketAddress, Future<JsonObject>> ask(
      HttpServerRequest signed, List<String> silent) {
    Map<HostAndPort, CompletableFuture<InetAddress[]>> resolved = new LinkedHashMap<>();
    places.forEach(place -> resolved.put(place, addresses(place.host())));
    Map<SocketAddress, Future<JsonObject>> asked = new LinkedHashMap<>();
    resolved.forEach((place, addresses) -> {
      try {
        for (InetAddress address : addresses.join()) {
          SocketAddress socket =
              SocketAddress.inetSocketAddress(place.port(), address.getHostAddress());
          asked.computeIfAbsent(socket, to -> ask(to, signed));
        }
      } catch (CompletionException e) {
        silent.add(place + ": its name has no address");
      }
    });
    return asked;
  }

  private static CompletableFuture<InetAddress[]> addresses(String host) {
    CompletableFuture<InetAddress[]> addresses = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("resolve-" + host)
        .start(() -> {
          try {
            addresses.complete(InetAddress.getAllByName(host));
          } catch (UnknownHostException e) {
            addresses.completeExceptionally(e);
          }
        });
    return addresses.orTimeout(ANSWER_MS_MAX, TimeUnit.MILLISECONDS);
  }

  /** Sends the request as it came: any of its headers may be signed, also the host. */
  private Future<JsonObject> ask(SocketAddress to, HttpServerRequest signed) {
    MultiMap headers = HttpHeaders.headers().addAll(signed.headers()).set(OWN_HEADER, "true");
    NOT_FORWARDED.forEach(headers::remove);
    RequestOptions options =
        new RequestOptions()
            .setHost(to.host())
            .setPort(to.port())
            .setURI(signed.uri())
            .setHeaders(headers)
            .setIdleTimeout(ANSWER_MS_MAX);
    return client
        .request(options)
        .compose(request -> request.send())
        .compose(OtherGateways::document)
        .timeout(ANSWER_MS_MAX, TimeUnit.MILLISECONDS);
  }

  private static Future<JsonObject> document(HttpClientResponse response) {
    String length = response.getHeader("content-length");
    boolean isBounded =
        length != null
            && length.matches("[0-9]{1,9}")
            && Integer.parseInt(length) <= ANSWER_BYTES_MAX;
    if (response.statusCode() != 200 || !isBounded) {
      response.request().reset();
      return Future.failedFuture(
          response.statusCode() == 200
              ? "its answer has no length, or more than " + ANSWER_BYTES_MAX + " bytes"
              : "it answered with status " + response.statusCode());
    }
    return response.body().map(JsonObject::new);
  }
}
