package dev.tarn.gateway.s3.form;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Exchange;
import dev.tarn.gateway.s3.operation.DecodedBody;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The file of a form as the target receives it. The form is read up to the first bytes of the file.
 * A copy of these bytes waits until the fields are checked and the target subscribes. The rest
 * flows on demand. The state belongs to the connection's event loop.
 */
final class FormUpload implements IncomingBody, Flow.Publisher<ByteBuffer> {
  private final Exchange exchange;
  private final FormDecoder decoder;
  private final DecodedBody body;
  private final CompletableFuture<FormFields> fields = new CompletableFuture<>();
  private @Nullable PostPolicy policy;
  private Flow.@Nullable Subscription upstream;
  private Flow.@Nullable Subscriber<? super ByteBuffer> receiver;
  private @Nullable ByteBuffer first;
  private boolean complete;
  private @Nullable Throwable broken;
  private volatile @Nullable S3Exception failure;

  FormUpload(Exchange exchange, FormDecoder decoder) {
    this.exchange = exchange;
    this.decoder = decoder;
    this.body = new DecodedBody(exchange, decoder);
  }

  /** Starts to read. The stage completes when all fields before the file have arrived. */
  CompletionStage<FormFields> readFields() {
    body.subscribe(new Reading());
    return fields;
  }

  /** Sets the policy that limits the file's length. Call this before the target subscribes. */
  void bound(PostPolicy bounds) {
    policy = bounds;
  }

  /** Stops reading, because no subscriber will follow. */
  void cancel() {
    exchange.onLoop(() -> {
      if (upstream != null) {
        upstream.cancel();
      }
    });
  }

  /** Why the body differs from what was declared; null while no difference is found. */
  @Nullable S3Exception failure() {
    S3Exception own = failure;
    return own == null ? body.failure() : own;
  }

  @Override
  public long length() {
    return UNKNOWN_LENGTH;
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return decoder.declaredDigests();
  }

  @Override
  public Flow.Publisher<ByteBuffer> bytes() {
    return this;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    exchange.onLoop(() -> {
      receiver = subscriber;
      subscriber.onSubscribe(new Demand());
      if (first == null) {
        tellEnd();
      }
    });
  }

  private void tellEnd() {
    Flow.Subscriber<? super ByteBuffer> to = receiver;
    if (to == null || (!complete && broken == null)) {
      return;
    }
    receiver = null;
    Throwable cause = broken;
    if (cause != null) {
      to.onError(cause);
      return;
    }
    try {
      if (policy != null) {
        policy.checkLength(decoder.fileBytes());
      }
    } catch (S3Exception e) {
      failure = e;
      to.onError(e);
      return;
    }
    to.onComplete();
  }

  private void give(ByteBuffer piece) {
    Flow.Subscriber<? super ByteBuffer> to = requireNonNull(receiver, "asked by nobody");
    try {
      if (policy != null) {
        policy.checkLengthSoFar(decoder.fileBytes());
      }
    } catch (S3Exception e) {
      failure = e;
      receiver = null;
      cancel();
      to.onError(e);
      return;
    }
    to.onNext(piece);
  }

  private final class Reading implements Flow.Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      upstream = subscription;
      subscription.request(1);
    }

    @Override
    public void onNext(ByteBuffer piece) {
      if (receiver != null) {
        give(piece);
      } else if (!fields.isDone()) {
        first = ByteBuffer.allocate(piece.remaining()).put(piece).flip();
        fields.complete(requireNonNull(decoder.fields(), "the file has begun"));
      }
    }

    @Override
    public void onError(Throwable cause) {
      broken = cause;
      if (!fields.completeExceptionally(cause) && first == null) {
        tellEnd();
      }
    }

    @Override
    public void onComplete() {
      complete = true;
      if (!fields.isDone()) {
        fields.complete(requireNonNull(decoder.fields(), "the form has ended"));
      } else if (first == null) {
        tellEnd();
      }
    }
  }

  private final class Demand implements Flow.Subscription {
    @Override
    public void request(long amount) {
      exchange.onLoop(() -> {
        long left = amount;
        ByteBuffer waiting = first;
        if (waiting != null && receiver != null) {
          first = null;
          give(waiting);
          tellEnd();
          left--;
        }
        if (left > 0 && receiver != null && upstream != null) {
          upstream.request(left);
        }
      });
    }

    @Override
    public void cancel() {
      receiver = null;
      FormUpload.this.cancel();
    }
  }
}
