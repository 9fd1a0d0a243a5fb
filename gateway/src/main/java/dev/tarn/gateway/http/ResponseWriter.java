package dev.tarn.gateway.http;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.OutgoingBody.Bytes;
import dev.tarn.cluster.target.OutgoingBody.FileRange;
import dev.tarn.cluster.target.OutgoingBody.FileRanges;
import dev.tarn.cluster.target.OutgoingBody.Stream;
import dev.tarn.transport.body.FileTransfer;
import dev.tarn.transport.body.StreamWriter;
import dev.tarn.transport.body.WireBuffers;
import dev.tarn.transport.connection.Connections;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes one answer and closes its body exactly once: when the socket has taken all of it, or when
 * the client is gone. If a body breaks off, the connection is closed. Otherwise the client would
 * take a partial body for the whole.
 */
final class ResponseWriter {
  private static final int NO_CONTENT = 204;

  /** The queue of a stream's connection while many bytes wait for slow clients. */
  private static final int CROWDED_QUEUE_BYTES = 16 << 10;

  private final Exchange exchange;
  private final Context context;
  private final Response response;
  private final HttpServerResponse http;
  private final boolean close;
  private @Nullable FileTransfer transfer;
  private @Nullable StreamWriter stream;
  private @Nullable FilePublisher files;
  private boolean ended;

  ResponseWriter(Exchange exchange, Context context, Response response, boolean close) {
    this.exchange = exchange;
    this.context = context;
    this.response = response;
    this.http = exchange.request().response();
    this.close = close;
  }

  void start() {
    writeHeaders();
    switch (response.body()) {
      case Response.NoBody none -> writeNothing();
      case Response.HeadOnly head -> {
        http.putHeader(HeaderNames.CONTENT_LENGTH, Long.toString(head.contentLength()));
        http.end().onComplete(this::ended);
      }
      case Response.Document document -> writeBytes(ByteBuffer.wrap(document.bytes()));
      case Response.ObjectBytes object -> writeObject(object.bytes());
    }
  }

  private void writeHeaders() {
    http.setStatusCode(response.status());
    MultiMap written = http.headers();
    exchange.writeCommonHeaders(written);
    if (close) {
      written.add(HeaderNames.CONNECTION, HeaderNames.CLOSE);
      exchange.connection().closeAfterAnswer();
    }
    List<CharSequence> headers = response.headers();
    for (int index = 0; index < headers.size(); index += 2) {
      written.add(headers.get(index), headers.get(index + 1));
    }
  }

  private void writeNothing() {
    if (response.status() == NO_CONTENT) {
      // Vert.x adds a length to every answer, but an answer with status 204 must not have one.
      http.headersEndHandler(ignored -> http.headers().remove(HeaderNames.CONTENT_LENGTH));
    }
    http.end().onComplete(this::ended);
  }

  private void writeBytes(ByteBuffer bytes) {
    http.end(WireBuffers.wrap(bytes)).onComplete(this::ended);
  }

  private void writeObject(OutgoingBody body) {
    switch (body) {
      case Bytes bytes -> writeBytes(bytes.buffer());
      case FileRange file -> writeFiles(List.of(file), file.length());
      case FileRanges files -> writeFiles(files.ranges(), files.length());
      case Stream published -> {
        if (StreamWriter.isCrowded()) {
          http.setWriteQueueMaxSize(CROWDED_QUEUE_BYTES);
        }
        writeStream(published.publisher(), published.length());
      }
    }
  }

  private void writeFiles(List<FileRange> ranges, long length) {
    if (length == 0) {
      writeBytes(ByteBuffer.allocate(0));
    } else if (exchange.request().isSSL()) {
      // This limit keeps the queue from holding two buffers for one client.
      http.setWriteQueueMaxSize(ReadMemory.SMALL_BYTES);
      FilePublisher read = new FilePublisher(ranges, exchange.connection().readMemory());
      files = read;
      writeStream(read, length);
    } else {
      writeHead(length);
      FileTransfer started = FileTransfer.start(exchange.request(), ranges);
      transfer = started;
      started.sent().onComplete(this::lastByteHandedOver);
    }
  }

  private void writeStream(Flow.Publisher<ByteBuffer> bytes, long length) {
    http.putHeader(HeaderNames.CONTENT_LENGTH, Long.toString(length));
    StreamWriter started = new StreamWriter(exchange.request(), context, length);
    stream = started;
    started.write(bytes).onComplete(this::lastByteHandedOver);
  }

  private void writeHead(long length) {
    http.putHeader(HeaderNames.CONTENT_LENGTH, Long.toString(length));
    Future<Void> head = http.writeHead();
    assert head != null;
  }

  private void lastByteHandedOver(AsyncResult<Void> result) {
    if (ended) {
      return;
    }
    if (result.succeeded()) {
      http.end().onComplete(this::ended);
    } else {
      breakOff();
    }
  }

  private void ended(AsyncResult<Void> result) {
    if (ended) {
      return;
    }
    if (result.failed()) {
      breakOff();
      return;
    }
    ended = true;
    free();
    exchange.finish(true);
    if (close) {
      exchange.request().connection().close();
    }
  }

  /** Whether this writer writes, and finally closes, the given answer. */
  boolean writes(Response answer) {
    return response == answer;
  }

  /** Breaks the answer off: nothing more can be written. */
  void connectionLost() {
    if (!ended) {
      breakOff();
    }
  }

  private void breakOff() {
    ended = true;
    StreamWriter streaming = stream;
    if (streaming != null) {
      streaming.cancel();
    }
    free();
    exchange.finish(false);
    Connections.abort(exchange.request().connection());
  }

  private void free() {
    FilePublisher read = files;
    if (read != null) {
      read.giveBack();
    }
    response.discard();
  }

  /** The number of bytes of the body that the socket has taken. */
  long taken() {
    FileTransfer file = transfer;
    if (file != null) {
      return file.taken();
    }
    StreamWriter streaming = stream;
    if (streaming != null) {
      return streaming.taken();
    }
    long length = response.body().length();
    return ended
        ? length
        : Math.max(0, length - Connections.pendingBytes(exchange.request().connection()));
  }
}
