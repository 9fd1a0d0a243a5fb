package dev.tarn.gateway.http;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.OutgoingBody;
import java.util.ArrayList;
import java.util.List;

/** An answer to a request. One thread builds it, and it is written once. */
public final class Response {
  private final int status;
  private final List<CharSequence> headers = new ArrayList<>(24);
  private Body body = Body.NONE;

  private Response(int status) {
    this.status = status;
  }

  /** Creates an answer with this status, without headers and body. */
  public static Response of(int status) {
    return new Response(status);
  }

  /** Adds a header. */
  public Response header(CharSequence name, CharSequence value) {
    headers.add(name);
    headers.add(value);
    return this;
  }

  /** Sets an XML document as the body. */
  public Response xml(byte[] document) {
    body = new Document(document);
    return header(HeaderNames.CONTENT_TYPE, HeaderNames.APPLICATION_XML);
  }

  /** Sets a JSON document as the body. */
  public Response json(byte[] document) {
    body = new Document(document);
    return header(HeaderNames.CONTENT_TYPE, HeaderNames.APPLICATION_JSON);
  }

  /** Sets an object's bytes as the body. */
  public Response object(OutgoingBody bytes) {
    body = new ObjectBytes(bytes);
    return this;
  }

  /** Sets no body, but the Content-Length that a GET would have. */
  public Response headOnly(long length) {
    body = new HeadOnly(length);
    return this;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** Alternating names and values. */
  List<CharSequence> headers() {
    return headers;
  }

  /** The body after the headers. */
  Body body() {
    return body;
  }

  /** Frees the body of an answer that is not written. */
  public void discard() {
    if (body instanceof ObjectBytes object) {
      object.bytes.close();
    }
  }

  /** The body after the headers of an answer. */
  sealed interface Body {
    Body NONE = new NoBody();

    /** The number of bytes that a client receives. */
    long length();
  }

  record NoBody() implements Body {
    @Override
    public long length() {
      return 0;
    }
  }

  /**
   * @param bytes owned by the answer
   */
  @SuppressWarnings("ArrayRecordComponent") // The array is written, never compared.
  record Document(byte[] bytes) implements Body {
    @Override
    public long length() {
      return bytes.length;
    }
  }

  /**
   * @param bytes closed when the answer is written or discarded
   */
  record ObjectBytes(OutgoingBody bytes) implements Body {
    ObjectBytes {
      requireNonNull(bytes, "bytes is null");
    }

    @Override
    public long length() {
      return bytes.length();
    }
  }

  /**
   * @param contentLength the value of Content-Length
   */
  record HeadOnly(long contentLength) implements Body {
    @Override
    public long length() {
      return 0;
    }
  }
}
