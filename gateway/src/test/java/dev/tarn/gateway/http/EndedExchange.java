package dev.tarn.gateway.http;

import org.jspecify.annotations.Nullable;

/** Records of exchanges that a test makes up. */
public final class EndedExchange {
  private EndedExchange() {}

  /** An exchange of this bucket and key that has ended. */
  public static ExchangeRecord of(
      String operation,
      String bucket,
      @Nullable String key,
      int status,
      long nanos,
      long received,
      long sent) {
    ExchangeRecord record = new ExchangeRecord();
    record.operation(operation);
    record.resource(bucket, key);
    record.status(status);
    record.finish(nanos, received, sent, true);
    return record;
  }
}
