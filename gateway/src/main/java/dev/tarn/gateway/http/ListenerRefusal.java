package dev.tarn.gateway.http;

/** Why the listener refuses a request, before the request reaches the handler. */
public enum ListenerRefusal {
  /** Too many connections are open. */
  TOO_MANY_CONNECTIONS,
  /** The head is not valid HTTP. */
  MALFORMED_HEAD,
  /** The Host header is missing or occurs more than once. */
  WRONG_HOST,
  /** The transfer encoding of the body is not chunked. */
  TRANSFER_ENCODING,
  /**
   * The request is for a web socket of the old Hixie draft. Its body is not declared by any header.
   */
  WEB_SOCKET,
  /** The request line or the headers are too long. */
  HEAD_TOO_LONG,
  /** The declared body length is too large. */
  BODY_TOO_LONG,
  /** The client has sent too few bytes for too long. */
  TOO_SLOW
}
