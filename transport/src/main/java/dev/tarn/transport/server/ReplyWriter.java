package dev.tarn.transport.server;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.transport.body.EventLoops;
import dev.tarn.transport.body.FileTransfer;
import dev.tarn.transport.body.StreamWriter;
import dev.tarn.transport.body.WireBuffers;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one outcome and the bytes of a read after it. The body is closed exactly once: when the
 * socket has taken the last byte, or when the caller has disconnected. A body that breaks off
 * closes the connection, because its length was already announced.
 */
final class ReplyWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyWriter.class);
  private static final String CONTENT_LENGTH = "content-length";

  private final Context context;
  private final HttpServerRequest request;
  private final HttpServerResponse http;
  private final ReplyForm form;
  private final Runnable beforeReply;
  private @Nullable OutgoingBody body;
  private @Nullable FileTransfer transfer;
  private @Nullable StreamWriter stream;
  private boolean begun;
  private boolean lost;
  private boolean refusal;
  private boolean complete;
  private long bodyBytes;
  private Runnable afterReply = () -> {};

  /** Creates a reply of this form; {@code beforeReply} runs when the reply begins. */
  ReplyWriter(Context context, HttpServerRequest request, ReplyForm form, Runnable beforeReply) {
    this.context = context;
    this.request = request;
    this.http = request.response();
    this.form = form;
    this.beforeReply = beforeReply;
    // The request of a read has ended by now. Only its response reports a lost connection.
    http.closeHandler(ignored -> connectionLost());
    http.endHandler(ignored -> over());
  }

  /** Runs an action once, when the reply was sent or the caller has disconnected. */
  void whenOver(Runnable action) {
    afterReply = action;
  }

  /** Whether the whole reply was sent, as far as this process can see. */
  boolean isComplete() {
    return complete;
  }

  /** Whether the caller has disconnected. */
  boolean isLost() {
    return lost;
  }

  /** Whether the reply is a failure. */
  boolean isRefusal() {
    return refusal;
  }

  /**
   * The number of bytes of the object that the socket has taken, including those of a partial file
   * step. Does not include a stream's buffers that wait for the socket.
   */
  long sentBytes() {
    FileTransfer sending = transfer;
    StreamWriter writing = stream;
    if (complete) {
      return bodyBytes;
    }
    if (sending != null) {
      return sending.taken();
    }
    return writing == null ? 0 : writing.taken();
  }

  private void over() {
    Runnable action = afterReply;
    afterReply = () -> {};
    action.run();
  }

  /** Replies with an outcome that has no body, when it is there. */
  <T> void give(CompletionStage<T> stage, Function<T, byte[]> encoder) {
    whenReady(stage, outcome -> writeMessage(() -> encoder.apply(outcome)));
  }

  /** Replies with the outcome of a read and its body, when it is there. */
  void read(CompletionStage<Outcome<ObjectRead>> stage) {
    whenReady(
        stage,
        outcome -> {
          switch (outcome) {
            case Outcome.Success<ObjectRead>(ObjectRead read) -> writeRead(read);
            case Outcome.Failed<ObjectRead>(Failure failure) -> fail(failure);
          }
        });
  }

  /** Replies with this failure. */
  void fail(Failure failure) {
    writeMessage(() -> {
      refusal = true;
      return form.failure(http, failure);
    });
  }

  /**
   * Replies that the target has a defect. The log contains the same incident id. A reply that has
   * begun is cut off instead.
   */
  void fail(Throwable defect) {
    String incident = UUID.randomUUID().toString();
    LOG.error("Call failed: defect of this target, incident {}; report it", incident, defect);
    if (begun) {
      request.connection().close();
    } else {
      fail(new Failure.Bug(incident));
    }
  }

  void connectionLost() {
    lost = true;
    StreamWriter writing = stream;
    if (writing != null) {
      writing.cancel();
    }
    closeBody();
    over();
  }

  /** Runs a step with what the stage completes with, on the event loop; replies to defects. */
  <T> void whenReady(CompletionStage<T> stage, Consumer<T> step) {
    stage.whenComplete((value, defect) -> EventLoops.run(context, () -> run(value, defect, step)));
  }

  private <T> void run(T value, @Nullable Throwable failure, Consumer<T> step) {
    if (failure != null) {
      fail(failure);
      return;
    }
    try {
      step.accept(value);
    } catch (RuntimeException | Error defect) { // The caller would otherwise wait forever.
      fail(defect);
    }
  }

  private boolean begin() {
    if (begun || lost) {
      return false;
    }
    begun = true;
    beforeReply.run();
    return true;
  }

  private void writeMessage(Supplier<byte[]> message) {
    if (begin()) {
      byte[] bytes = message.get();
      putLength(bytes.length);
      complete = true;
      http.end(Buffer.buffer(bytes));
    }
  }

  private void writeRead(ObjectRead read) {
    body = read.body();
    if (!begin()) {
      closeBody();
      return;
    }
    bodyBytes = read.body().length();
    byte[] message = form.read(http, read);
    putLength(message.length + read.body().length());
    switch (read.body()) {
      case OutgoingBody.Bytes bytes -> {
        complete = true;
        http.end(WireBuffers.wrap(ByteBuffer.wrap(message), bytes.buffer()))
            .onComplete(this::ended);
      }
      case OutgoingBody.FileRange file -> sendFiles(message, List.of(file));
      case OutgoingBody.FileRanges files -> sendFiles(message, files.ranges());
      case OutgoingBody.Stream published -> {
        http.write(Buffer.buffer(message));
        StreamWriter writer = new StreamWriter(request, context, published.length());
        stream = writer;
        writer.write(published.publisher()).onComplete(this::sent);
      }
    }
  }

  private void sendFiles(byte[] message, List<OutgoingBody.FileRange> ranges) {
    http.write(Buffer.buffer(message));
    FileTransfer started = FileTransfer.start(request, ranges);
    transfer = started;
    started.sent().onComplete(this::sent);
  }

  private void putLength(long length) {
    http.putHeader(CONTENT_LENGTH, Long.toString(length));
  }

  private void sent(AsyncResult<Void> result) {
    if (result.succeeded() && !lost) {
      complete = true;
      http.end().onComplete(this::ended);
    } else {
      ended(result);
    }
  }

  private void ended(AsyncResult<Void> result) {
    closeBody();
    if (result.failed()) {
      request.connection().close();
    }
  }

  private void closeBody() {
    OutgoingBody open = body;
    body = null;
    if (open != null) {
      open.close();
    }
  }
}
