package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.target.TargetRequest;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The encoding of requests. {@link ObjectRequestForms} and {@link UploadRequestForms} declare the
 * tag, the fields and the result of each type.
 */
public final class RequestCodec {
  /** The greatest size of an encoded request in bytes: a completion with the most parts. */
  public static final int BYTES_MAX = 4 << 20;

  private static final List<RequestForm<? extends TargetRequest<?>>> OPERATIONS =
      Stream.concat(ObjectRequestForms.ALL.stream(), UploadRequestForms.ALL.stream()).toList();

  private static final Map<Class<?>, RequestForm<? extends TargetRequest<?>>> BY_TYPE =
      OPERATIONS.stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  operation -> operation.form().type(), Function.identity()));

  private static final Codec<TargetRequest<?>> REQUEST = union();

  private RequestCodec() {}

  @SuppressWarnings({"unchecked", "rawtypes"}) // there is no class of a TargetRequest<?>
  private static Codec<TargetRequest<?>> union() {
    return Union.of(
        (Class<TargetRequest<?>>) (Class) TargetRequest.class,
        OPERATIONS.stream()
            .<Union.Alternative<? extends TargetRequest<?>>>map(RequestForm::form)
            .toList());
  }

  /** Encodes a request as a message. */
  public static byte[] encode(TargetRequest<?> request) {
    return WireMessage.encode(REQUEST, request);
  }

  /**
   * Decodes a request.
   *
   * @throws WireException if it is malformed or of another version
   */
  public static TargetRequest<?> decode(byte[] message) throws WireException {
    return WireMessage.decode(message, "request", REQUEST);
  }

  /** The number of the operation on the wire and in capabilities. */
  public static int operationTag(TargetRequest<?> request) {
    return operation(request).form().tag();
  }

  /** The codec for the outcomes; for a get, without the bytes. */
  static OutcomeCodec<?> outcome(TargetRequest<?> request) {
    return operation(request).outcome();
  }

  private static RequestForm<?> operation(TargetRequest<?> request) {
    return requireNonNull(
        BY_TYPE.get(request.getClass()), () -> "no codec for " + request.getClass());
  }
}
