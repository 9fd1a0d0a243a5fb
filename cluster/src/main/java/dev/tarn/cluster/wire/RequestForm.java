package dev.tarn.cluster.wire;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;

/**
 * One kind of request on the wire.
 *
 * @param form its tag, its type and its fields
 * @param outcome the encoding of its outcomes; for a get, without the bytes
 */
record RequestForm<Q>(Union.Alternative<Q> form, OutcomeCodec<?> outcome) {
  static <Q> RequestForm<Q> of(
      int tag, Class<Q> type, Codec<?> result, Codec.Writer<Q> writer, Codec.Reader<Q> reader) {
    return new RequestForm<>(
        Union.alternative(tag, type, writer, reader), new OutcomeCodec<>(result));
  }
}
