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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;

/** Admits admin users: the request needs a version 4 signature that also covers the body. */
record AdminAccess(Authenticator authenticator, GatewayView view, InstantSource clock) {
  AdminAccess {
    requireNonNull(authenticator, "authenticator is null");
    requireNonNull(view, "view is null");
    requireNonNull(clock, "clock is null");
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
