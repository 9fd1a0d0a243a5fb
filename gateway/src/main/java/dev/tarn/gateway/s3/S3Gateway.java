package dev.tarn.gateway.s3;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.accesslog.AccessLog;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.http.ExchangeHandler;
import dev.tarn.gateway.http.Refusal;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.metrics.RequestMetrics;
import org.jspecify.annotations.Nullable;

/** Answers S3 requests: resolve, authenticate, authorize, operate, respond. */
public final class S3Gateway implements ExchangeHandler {
  private final RequestMetrics metrics;
  private final @Nullable AccessLog accessLog;

  public S3Gateway(
      S3Settings settings,
      ControlPlane control,
      ObjectTarget target,
      RequestMetrics metrics,
      @Nullable AccessLog accessLog) {
    this.metrics = requireNonNull(metrics, "metrics is null");
    this.accessLog = accessLog;
  }

  @Override
  public void handle(Exchange exchange) {
    exchange.respond(Response.of(501));
  }

  @Override
  public Response refusal(Exchange exchange, Refusal refusal) {
    return Response.of(503);
  }

  @Override
  public void finished(Exchange exchange) {
    metrics.count(exchange.record());
    AccessLog log = accessLog;
    if (log != null) {
      log.add(exchange);
    }
  }
}
