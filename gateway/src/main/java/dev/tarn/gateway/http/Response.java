package dev.tarn.gateway.http;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.OutgoingBody;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer to a request, built by one thread and then written once. */
public final class Response {
  private final int status;
  private final List<CharSequence> headers = new ArrayList<>(24);
  private Body body = Body.NONE;

  private Response(int status) {
    this.status = status;
  }

  /** An answer of this status without headers and body. */
  public static Response of(int status) {
    return new Response(status);
  }

  /** Adds a header. */
  public Response header(CharSequence name, CharSequence value) {
    headers.add(name);
    headers.add(value);
    return this;
  }

  /** Adds a header, or nothing for null. */
  public Response optionalHeader(CharSequence name, @Nullable CharSequence value) {
    return value == null ? this : header(name, value);
  }

  /** The body is an XML document. */
  public Response xml(byte[] document) {
    body = new Document(document);
    return header(HeaderNames.CONTENT_TYPE, HeaderNames.APPLICATION_XML);
  }

  /** The body is a JSON document. */
  public Response json(byte[] document) {
    body = new Document(document);
    return header(HeaderNames.CONTENT_TYPE, HeaderNames.APPLICATION_JSON);
  }

  /** The body is an object's bytes. */
  public Response object(OutgoingBody bytes) {
    body = new ObjectBytes(bytes);
    return this;
  }

  /** There is no body, but this is the length that a GET would have. */
  public Response headOnly(long length) {
    body = new HeadOnly(length);
    return this;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** Names and values in turn. */
  List<CharSequence> headers() {
    return headers;
  }

  /** What follows the headers. */
  Body body() {
    return body;
  }

  /** Frees the body of an answer that nobody will write. */
  public void discard() {
    if (body instanceof ObjectBytes object) {
      object.bytes.close();
    }
  }

  /** What follows the headers of an answer. */
  sealed interface Body {
    Body NONE = new NoBody();

    /** Bytes that a client receives. */
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
  @SuppressWarnings("ArrayRecordComponent") // It is written, never compared.
  record Document(byte[] bytes) implements Body {
    @Override
    public long length() {
      return bytes.length;
    }
  }

  /**
   * @param bytes closed by whoever writes or discards the answer
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
   * @param contentLength what Content-Length says
   */
  record HeadOnly(long contentLength) implements Body {
    @Override
    public long length() {
      return 0;
    }
  }
}
