package dev.tarn.gateway.xml;

/** A document that is not XML, or is more than a request may hold. */
public final class MalformedXmlException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedXmlException(String message) {
    super(message);
  }

  MalformedXmlException(String message, Throwable cause) {
    super(message, cause);
  }
}
