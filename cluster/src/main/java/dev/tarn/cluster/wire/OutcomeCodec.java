package dev.tarn.cluster.wire;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;

/**
 * The encoding of the outcomes of one kind of operation: the value or the failure.
 *
 * @param <T> the value of a success
 */
public final class OutcomeCodec<T> {
  /**
   * The greatest size of an encoded outcome in bytes: the metadata of an object with the most
   * parts.
   */
  public static final int BYTES_MAX = 16 << 20;

  /** The codec for a get and a head; the bytes of a get follow separately. */
  public static final OutcomeCodec<ObjectHead> HEAD = new OutcomeCodec<>(ResultCodecs.HEAD);

  private static final int SUCCESS = 1;
  private static final int FAILED = 2;

  private final Codec<Outcome<T>> outcome;

  OutcomeCodec(Codec<T> result) {
    this.outcome =
        Codec.of(
            result.name() + " or failure",
            (out, value) -> {
              if (value instanceof Outcome.Success<T> success) {
                out.message(SUCCESS, result, success.value());
              } else {
                out.message(FAILED, FailureCodec.FAILURE, ((Outcome.Failed<T>) value).failure());
              }
            },
            in ->
                in.nextTag() == SUCCESS
                    ? Outcome.success(in.message(SUCCESS, result))
                    : Outcome.failed(in.message(FAILED, FailureCodec.FAILURE)));
  }

  /** The codec for the result of this request; for a get, use {@link #HEAD}. */
  @SuppressWarnings("unchecked") // the operation pairs each request with the codec of its result
  public static <R> OutcomeCodec<R> of(TargetRequest<R> request) {
    return (OutcomeCodec<R>) RequestCodec.outcome(request);
  }

  /** Encodes a failure, which has the same form for every request. */
  public static byte[] encodeFailure(Failure failure) {
    return HEAD.encode(Outcome.failed(failure));
  }

  /** Encodes an outcome as a message. */
  public byte[] encode(Outcome<T> value) {
    return WireMessage.encode(outcome, value);
  }

  /**
   * Decodes an outcome.
   *
   * @throws WireException if it is malformed or of another version
   */
  public Outcome<T> decode(byte[] message) throws WireException {
    return WireMessage.decode(message, "outcome", outcome);
  }
}
