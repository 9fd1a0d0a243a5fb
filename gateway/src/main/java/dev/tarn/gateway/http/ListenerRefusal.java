package dev.tarn.gateway.http;

/** Why the listener refuses a request before anybody has looked at what it asks. */
public enum ListenerRefusal {
  /** More connections are open than may be. */
  TOO_MANY_CONNECTIONS,
  /** More requests are in flight than may be. */
  TOO_MANY_REQUESTS,
  /** The head is not HTTP. */
  MALFORMED_HEAD,
  /** The Host header is missing, or there are two of them. */
  WRONG_HOST,
  /** The body is in a transfer encoding other than chunks. */
  TRANSFER_ENCODING,
  /**
   * It asks for a web socket of the old kind, whose request has a body that no header announces.
   */
  WEB_SOCKET,
  /** The request line or the headers are too long. */
  HEAD_TOO_LONG,
  /** The declared body is too long. */
  BODY_TOO_LONG,
  /** The client has sent too little for too long. */
  TOO_SLOW
}
