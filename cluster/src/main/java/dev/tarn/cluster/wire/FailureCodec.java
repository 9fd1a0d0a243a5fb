package dev.tarn.cluster.wire;

import static dev.tarn.cluster.codec.Union.alternative;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.codec.Union.Alternative;
import dev.tarn.cluster.object.ObjectCodecs;
import dev.tarn.cluster.target.Failure;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/** The encoding of failures. */
final class FailureCodec {
  static final Codec<Failure> FAILURE =
      Union.of(
          Failure.class,
          List.of(
              alternative(
                  1,
                  Failure.NoSuchKey.class,
                  (out, failure) -> out.text(1, failure.markerVersion()),
                  in -> new Failure.NoSuchKey(in.optionalText(1))),
              alternative(2, new Failure.NoSuchVersion()),
              alternative(3, new Failure.NoSuchUpload()),
              ofText(
                  4,
                  Failure.PreconditionFailed.class,
                  Failure.PreconditionFailed::condition,
                  Failure.PreconditionFailed::new),
              alternative(
                  5,
                  Failure.NotModified.class,
                  (out, failure) -> out.message(1, ObjectCodecs.METADATA, failure.metadata()),
                  in -> new Failure.NotModified(in.message(1, ObjectCodecs.METADATA))),
              alternative(6, new Failure.LostRace()),
              alternative(
                  7,
                  Failure.RangeNotSatisfiable.class,
                  (out, failure) -> out.number(1, failure.sizeBytes()),
                  in -> new Failure.RangeNotSatisfiable(in.number(1))),
              ofNumber(
                  8, Failure.NoSuchPart.class, Failure.NoSuchPart::number, Failure.NoSuchPart::new),
              ofNumber(
                  9,
                  Failure.InvalidPart.class,
                  Failure.InvalidPart::number,
                  Failure.InvalidPart::new),
              ofNumber(
                  10,
                  Failure.InvalidPartOrder.class,
                  Failure.InvalidPartOrder::number,
                  Failure.InvalidPartOrder::new),
              alternative(
                  11,
                  Failure.PartTooSmall.class,
                  (out, failure) ->
                      out.number(1, failure.number())
                          .number(2, failure.sizeBytes())
                          .number(3, failure.sizeBytesMin()),
                  in -> new Failure.PartTooSmall(in.integer(1), in.number(2), in.number(3))),
              alternative(12, new Failure.BadDigest()),
              alternative(
                  13,
                  Failure.BadChecksum.class,
                  (out, failure) -> out.constant(1, ObjectCodecs.ALGORITHMS, failure.algorithm()),
                  in -> new Failure.BadChecksum(in.constant(1, ObjectCodecs.ALGORITHMS))),
              ofText(
                  14,
                  Failure.IncompleteBody.class,
                  Failure.IncompleteBody::message,
                  Failure.IncompleteBody::new),
              ofText(
                  15,
                  Failure.InvalidRequest.class,
                  Failure.InvalidRequest::message,
                  Failure.InvalidRequest::new),
              ofText(
                  16, Failure.Forbidden.class, Failure.Forbidden::message, Failure.Forbidden::new),
              alternative(
                  17,
                  Failure.StaleMap.class,
                  (out, failure) -> out.number(1, failure.epoch()),
                  in -> new Failure.StaleMap(in.number(1))),
              alternative(
                  18,
                  Failure.UnknownSettings.class,
                  (out, failure) -> out.number(1, failure.version()),
                  in -> new Failure.UnknownSettings(in.number(1))),
              ofText(
                  19,
                  Failure.Unavailable.class,
                  Failure.Unavailable::message,
                  Failure.Unavailable::new),
              ofText(
                  20,
                  Failure.Overloaded.class,
                  Failure.Overloaded::message,
                  Failure.Overloaded::new),
              ofText(
                  21,
                  Failure.OutOfSpace.class,
                  Failure.OutOfSpace::message,
                  Failure.OutOfSpace::new),
              ofText(22, Failure.Corrupt.class, Failure.Corrupt::message, Failure.Corrupt::new),
              alternative(
                  23,
                  Failure.BackendFailed.class,
                  (out, failure) ->
                      out.number(1, failure.httpStatus())
                          .text(2, failure.code())
                          .text(3, failure.message()),
                  in -> new Failure.BackendFailed(in.integer(1), in.text(2), in.text(3))),
              ofText(24, Failure.Bug.class, Failure.Bug::incident, Failure.Bug::new),
              alternative(
                  25,
                  Failure.VersionIsDeleteMarker.class,
                  (out, failure) ->
                      out.text(1, failure.versionText()).number(2, failure.modifiedMs()),
                  in -> new Failure.VersionIsDeleteMarker(in.text(1), in.number(2))),
              alternative(
                  26,
                  Failure.DeadlinePassed.class,
                  (out, failure) -> out.number(1, failure.lateMs()),
                  in -> new Failure.DeadlinePassed(in.number(1))),
              alternative(27, new Failure.Locked())));

  private FailureCodec() {}

  private static <F extends Failure> Alternative<F> ofText(
      int tag, Class<F> type, Function<F, String> text, Function<String, F> failure) {
    return alternative(
        tag, type, (out, value) -> out.text(1, text.apply(value)), in -> failure.apply(in.text(1)));
  }

  private static <F extends Failure> Alternative<F> ofNumber(
      int tag, Class<F> type, ToIntFunction<F> number, IntFunction<F> failure) {
    return alternative(
        tag,
        type,
        (out, value) -> out.number(1, number.applyAsInt(value)),
        in -> failure.apply(in.integer(1)));
  }
}
