package dev.tarn.gateway.http;

/** Handles every request, on the event loop of its connection: S3Gateway. */
public interface ExchangeHandler {
  /** Answers a request, now or later. Must not block and must not throw. */
  void handle(Exchange exchange);

  /** The answer to a request that the listener refuses. */
  Response refusal(Exchange exchange, ListenerRefusal refusal);

  /** Records an exchange that has ended; its record is complete. */
  void finished(Exchange exchange);
}
