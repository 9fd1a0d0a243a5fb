package dev.tarn.gateway.xml;

/** The document is not well-formed XML, or exceeds a limit. */
public final class MalformedXmlException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedXmlException(String message) {
    super(message);
  }

  MalformedXmlException(String message, Throwable cause) {
    super(message, cause);
  }
}
