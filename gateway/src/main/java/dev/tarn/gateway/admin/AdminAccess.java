package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.auth.Authenticator;
import dev.tarn.gateway.auth.ConstantTime;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.route.GatewayView;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits admin users: the request needs a version 4 signature that also covers the body. */
record AdminAccess(
    Authenticator authenticator,
    GatewayView view,
    InstantSource clock,
    Optional<Path> eventsTokenFile) {
  private static final Logger LOG = LoggerFactory.getLogger(AdminAccess.class);
  private static final int TOKEN_LENGTH_MIN = 16;
  private static final String BEARER = "Bearer ";
  private static final User EVENT_SENDER = new User("event-sender", "event-sender", false);

  AdminAccess {
    requireNonNull(authenticator, "authenticator is null");
    requireNonNull(view, "view is null");
    requireNonNull(clock, "clock is null");
    requireNonNull(eventsTokenFile, "eventsTokenFile is null");
  }

  /**
   * Finds the user who sent the request. May block: the control node is asked about an unknown key
   * pair.
   */
  User authenticate(HttpServerRequest request, Buffer body) {
    Authentication authentication = judge(request);
    return switch (authentication) {
      case Authentication.Anonymous _ ->
          throw AdminProblem.forbidden("the admin API needs a signed request");
      case Authentication.Authenticated authenticated -> {
        if (!authenticated.user().admin()) {
          throw AdminProblem.forbidden(
              "user '" + authenticated.user().name() + "' is no admin; the admin API needs one");
        }
        checkBody(authenticated.payload(), body);
        yield authenticated.user();
      }
    };
  }

  /** Admits who sends event notifications: by the token for them, or as an admin user. */
  User authenticateEvents(HttpServerRequest request, Buffer body) {
    String given = Optional.ofNullable(request.getHeader("authorization")).orElse("");
    if (!given.startsWith(BEARER)) {
      return authenticate(request, body);
    }
    if (!ConstantTime.equal(given.substring(BEARER.length()).strip(), eventsToken())) {
      throw AdminProblem.forbidden("the bearer token is not that of admin.events-token-file");
    }
    return EVENT_SENDER;
  }

  /** Read for each request, so that the token can be replaced. */
  private String eventsToken() {
    Path file =
        eventsTokenFile.orElseThrow(() ->
            AdminProblem.forbidden(
                "no bearer token is accepted; set admin.events-token-file, or sign the"
                    + " request"));
    try {
      String token = Files.readString(file).strip();
      if (token.length() < TOKEN_LENGTH_MIN) {
        throw AdminProblem.unavailable(
            "the token in admin.events-token-file has fewer than "
                + TOKEN_LENGTH_MIN
                + " characters");
      }
      return token;
    } catch (IOException e) {
      LOG.warn("The token of event notifications cannot be read", e);
      throw AdminProblem.unavailable("admin.events-token-file cannot be read");
    }
  }

  private Authentication judge(HttpServerRequest request) {
    try {
      return judge(RequestHead.of(request, clock.instant()));
    } catch (S3Exception e) {
      throw AdminProblem.of(e);
    }
  }

  private Authentication judge(RequestHead head) {
    long version = view.state().version();
    try {
      return authenticator.authenticate(head);
    } catch (S3Exception e) {
      if (GatewayView.lacksName(e) && view.isMoreBeyond(version)) {
        return authenticator.authenticate(head);
      }
      throw e;
    }
  }

  private static void checkBody(PayloadPlan plan, Buffer body) {
    if (body.length() == 0) {
      return;
    }
    if (!(plan instanceof PayloadPlan.Sha256(String sha256Hex))) {
      throw AdminProblem.wrongRequest(
          "the body must be signed: x-amz-content-sha256 must hold its SHA-256");
    }
    if (!ConstantTime.equal(sha256Hex(body), sha256Hex)) {
      throw AdminProblem.wrongRequest("the body does not match its signed SHA-256");
    }
  }

  private static String sha256Hex(Buffer body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body.getBytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
