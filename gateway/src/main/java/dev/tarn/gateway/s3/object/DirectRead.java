package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.route.ReadTickets.Directions;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.List;
import java.util.Optional;

/**
 * Redirects a client to the object's target, so that the bytes cross one machine less. The client
 * must request this in a signed header. A presigned URL is never redirected: it may be for a range
 * or a short time, and a ticket would grant more.
 */
public record DirectRead(ReadTickets tickets) {
  private static final String HEADER = "x-tarn-direct-read";
  private static final String ACCEPT = "accept";

  /** Headers that change an answer and that targets do not support. */
  private static final List<String> FOR_THE_GATEWAY =
      List.of(
          "if-none-match",
          "if-modified-since",
          "if-unmodified-since",
          "if-range",
          "x-amz-checksum-mode");

  /**
   * The redirect to the object's target. Empty if the client does not request it, if the permission
   * depends on something that a ticket does not carry (the object's own ACL, the caller's address),
   * or if the gateway has to answer.
   */
  Optional<Response> directions(S3Request request) {
    if (!ACCEPT.equals(request.header(HEADER))
        || !request.isSignedInHeader()
        || request.decision() != Decision.ALLOWED
        || request.bucketAccess().isByConnection()
        || !isPlain(request)) {
      return Optional.empty();
    }
    TargetRequest.Get whole =
        new TargetRequest.Get(
            request.scope(), request.key(), request.version(), Selection.WHOLE, Preconditions.NONE);
    return tickets.directions(whole).map(DirectRead::answer);
  }

  private static boolean isPlain(S3Request request) {
    return request.query("partNumber") == null
        && ReadParameters.overrides(request).isEmpty()
        && FOR_THE_GATEWAY.stream().allMatch(name -> request.header(name) == null);
  }

  private static Response answer(Directions directions) {
    Response redirect =
        Response.of(307)
            .header("Location", directions.place().url().toString())
            .header(HttpBinding.TICKET_HEADER, directions.ticket())
            .header(HttpBinding.TICKET_SECONDS_HEADER, Long.toString(directions.use().toSeconds()));
    return directions
        .place()
        .authorities()
        .map(named -> redirect.header(HttpBinding.AUTHORITIES_HEADER, named))
        .orElse(redirect);
  }
}
