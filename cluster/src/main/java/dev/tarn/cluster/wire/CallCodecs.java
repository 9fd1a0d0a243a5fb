package dev.tarn.cluster.wire;

import static dev.tarn.cluster.object.ObjectCodecs.CHECKSUM;
import static dev.tarn.cluster.object.ObjectCodecs.CHECKSUMS_MAX;
import static dev.tarn.cluster.object.ObjectCodecs.TAGS_MAX;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The encoding of the fields of requests. */
final class CallCodecs {
  /** More than fit a header of a request. */
  private static final int ETAGS_MAX = 100_000;

  private static final long DEADLINE_MS_MAX = Duration.ofDays(1).toMillis();

  static final Codec<OutdatedKey> OUTDATED_KEY =
      Codec.of(
          "outdated key",
          (out, outdated) -> out.bytes(1, outdated.key().bytes()).text(2, outdated.etag()),
          in -> new OutdatedKey(in.bytes(1, ObjectKey::of), in.text(2)));

  private static final Codec<CallContext> CONTEXT =
      Codec.of(
          "call context",
          (out, context) ->
              out.text(1, context.requestId())
                  .text(2, context.userId())
                  .constant(3, TrafficClass.CODES, context.traffic())
                  .text(4, context.traceparent()),
          in ->
              new CallContext(
                  in.text(1),
                  in.optionalText(2),
                  in.constant(3, TrafficClass.CODES),
                  in.optionalText(4)));

  /**
   * Clocks differ, so the deadline goes as the milliseconds that remain when it is encoded. A
   * target that stands in must know it: others would answer with what they have.
   */
  static final Codec<CallScope> SCOPE =
      Codec.of(
          "scope",
          (out, scope) ->
              out.number(1, scope.bucket().value())
                  .number(2, scope.settingsVersion())
                  .number(3, scope.since())
                  .nullableMessage(4, CONTEXT, named(scope.context()))
                  .number(5, remainingMs(scope.deadline()))
                  .required(6)
                  .flag(6, scope.answerer() == Answerer.STAND_IN),
          in ->
              new CallScope(
                  new BucketId(in.number(1)),
                  in.number(2),
                  in.number(3),
                  in.optionalMessage(4, CONTEXT).orElse(CallContext.UNNAMED),
                  deadline(in.optionalNumber(5)),
                  in.flag(6) ? Answerer.STAND_IN : Answerer.OWNER));

  private static @Nullable CallContext named(CallContext context) {
    return context.equals(CallContext.UNNAMED) ? null : context;
  }

  private static OptionalLong remainingMs(Deadline deadline) {
    return deadline.isNone()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, deadline.remainingMs()));
  }

  private static Deadline deadline(OptionalLong remainingMs) {
    if (remainingMs.isEmpty()) {
      return Deadline.NONE;
    }
    long ms = remainingMs.orElseThrow();
    if (ms < 0 || ms > DEADLINE_MS_MAX) {
      throw new IllegalArgumentException(
          "deadline is in " + ms + " ms, must be in 0 to " + DEADLINE_MS_MAX);
    }
    return Deadline.in(Duration.ofMillis(ms));
  }

  private static final Codec<ObjectLock.Retention> RETENTION =
      Codec.of(
          "retention",
          (out, retention) ->
              out.constant(1, ObjectLock.Mode.CODES, retention.mode())
                  .number(2, retention.untilMs()),
          in -> new ObjectLock.Retention(in.constant(1, ObjectLock.Mode.CODES), in.number(2)));

  static final Codec<ObjectLock.Change> LOCK_CHANGE =
      Union.of(
          ObjectLock.Change.class,
          List.of(
              Union.alternative(
                  1,
                  ObjectLock.Change.Retain.class,
                  (out, retain) ->
                      out.message(1, RETENTION, retain.retention())
                          .flag(2, retain.bypassesGovernance()),
                  in -> new ObjectLock.Change.Retain(in.optionalMessage(1, RETENTION), in.flag(2))),
              Union.alternative(
                  2,
                  ObjectLock.Change.Hold.class,
                  (out, hold) -> out.flag(1, hold.on()),
                  in -> new ObjectLock.Change.Hold(in.flag(1)))));

  static final Codec<Selection> SELECTION =
      Union.of(
          Selection.class,
          List.of(
              Union.alternative(1, new Selection.Whole()),
              Union.alternative(
                  2,
                  Selection.Range.class,
                  (out, range) -> out.number(1, range.first()).number(2, range.last()),
                  in -> new Selection.Range(in.number(1), in.number(2))),
              Union.alternative(
                  3,
                  Selection.Suffix.class,
                  (out, suffix) -> out.number(1, suffix.lengthBytes()),
                  in -> new Selection.Suffix(in.number(1))),
              Union.alternative(
                  4,
                  Selection.Part.class,
                  (out, part) -> out.number(1, part.number()),
                  in -> new Selection.Part(in.integer(1)))));

  /** An older target must not delete an object whose size or time it cannot compare. */
  static final Codec<Preconditions> PRECONDITIONS =
      Codec.of(
          "preconditions",
          (out, preconditions) ->
              out.texts(1, preconditions.ifMatch())
                  .texts(2, preconditions.ifNoneMatch())
                  .number(3, preconditions.ifModifiedSinceMs())
                  .number(4, preconditions.ifUnmodifiedSinceMs())
                  .required(5)
                  .number(5, preconditions.ifSizeBytes())
                  .required(6)
                  .number(6, preconditions.ifModifiedAtMs()),
          in ->
              new Preconditions(
                  in.texts(1, ETAGS_MAX),
                  in.texts(2, ETAGS_MAX),
                  in.optionalNumber(3),
                  in.optionalNumber(4),
                  in.optionalNumber(5),
                  in.optionalNumber(6)));

  static final Codec<CopySource> SOURCE =
      Codec.of(
          "source",
          (out, source) ->
              out.message(1, SCOPE, source.scope())
                  .bytes(2, source.key().bytes())
                  .text(3, source.version())
                  .message(4, PRECONDITIONS, source.preconditions()),
          in ->
              new CopySource(
                  in.message(1, SCOPE),
                  in.bytes(2, ObjectKey::of),
                  in.optionalText(3),
                  in.message(4, PRECONDITIONS)));

  static final Codec<Map<String, String>> TAGS =
      Codec.of("tags", (out, tags) -> out.map(1, tags), in -> in.map(1, TAGS_MAX));

  static final Codec<CompletedPart> COMPLETED_PART =
      Codec.of(
          "completed part",
          (out, part) ->
              out.number(1, part.number())
                  .text(2, part.etag())
                  .messages(3, CHECKSUM, part.checksums()),
          in ->
              new CompletedPart(
                  in.integer(1), in.text(2), in.messages(3, CHECKSUM, CHECKSUMS_MAX)));

  private CallCodecs() {}
}
