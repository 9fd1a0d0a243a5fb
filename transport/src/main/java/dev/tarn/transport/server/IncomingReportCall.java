package dev.tarn.transport.server;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.wire.HttpBinding;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call for the target's report, for a scrub, or for the traffic of its cached buckets. */
final class IncomingReportCall {
  /** The paths of such calls. */
  static final Set<String> PATHS =
      Set.of(HttpBinding.REPORT_PATH, HttpBinding.SCRUB_PATH, HttpBinding.TRAFFIC_PATH);

  private static final Pattern BUCKET_QUERY =
      Pattern.compile("(?:" + HttpBinding.BUCKET_PARAMETER + "=([0-9]{1,18}))?");
  private static final Logger LOG = LoggerFactory.getLogger(IncomingReportCall.class);

  private final Context context;
  private final HttpServerRequest http;
  private final Capabilities capabilities;
  private final TargetAdministration administration;

  IncomingReportCall(
      Context context,
      HttpServerRequest http,
      Capabilities capabilities,
      TargetAdministration administration) {
    this.context = context;
    this.http = http;
    this.capabilities = capabilities;
    this.administration = administration;
  }

  void start() {
    boolean isScrub = HttpBinding.SCRUB_PATH.equals(http.path());
    String header = http.getHeader(HttpBinding.CAPABILITY_HEADER);
    String capability = header == null ? "" : header;
    Grant grant = isScrub ? Grant.ofScrub() : Grant.ofReport();
    Optional<Failure> forbidden =
        capabilities.refuseCall(capability).or(() -> capabilities.refuse(capability, grant));
    if (forbidden.isPresent()) {
      refuse(403, forbidden.orElseThrow().message());
      return;
    }
    String query = http.query() == null ? "" : http.query();
    Matcher named = BUCKET_QUERY.matcher(query);
    if (!named.matches()) {
      refuse(400, "The query is '" + query + "', must be empty or bucket= and up to 18 digits.");
      return;
    }
    Optional<BucketId> bucket =
        Optional.ofNullable(named.group(1)).map(digits -> new BucketId(Long.parseLong(digits)));
    Callable<byte[]> answer =
        switch (String.valueOf(http.path())) {
          case HttpBinding.SCRUB_PATH -> () -> administration.scrub().encode();
          case HttpBinding.TRAFFIC_PATH -> () -> administration.traffic(bucket).encode();
          default -> () -> administration.report().encode();
        };
    context.executeBlocking(answer).onComplete(this::answer);
  }

  private void answer(AsyncResult<byte[]> report) {
    if (report.succeeded()) {
      http.response().end(Buffer.buffer(report.result()));
    } else {
      LOG.error(
          "Report of this target failed; the gateway was answered with status 500", report.cause());
      refuse(500, "The report of this target failed; see its log.");
    }
  }

  /** Refuses the request and closes the connection, because the request may have an unread body. */
  private void refuse(int status, String reason) {
    http.response()
        .setStatusCode(status)
        .putHeader("connection", "close")
        .end(reason + "\n")
        .onComplete(ended -> http.connection().close());
  }
}
