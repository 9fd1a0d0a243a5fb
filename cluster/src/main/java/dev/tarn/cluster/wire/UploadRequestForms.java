package dev.tarn.cluster.wire;

import static dev.tarn.cluster.object.ObjectCodecs.ALGORITHMS;
import static dev.tarn.cluster.object.ObjectCodecs.CHECKSUM;
import static dev.tarn.cluster.object.ObjectCodecs.METADATA;
import static dev.tarn.cluster.object.ObjectCodecs.PART;
import static dev.tarn.cluster.wire.CallCodecs.COMPLETED_PART;
import static dev.tarn.cluster.wire.CallCodecs.PRECONDITIONS;
import static dev.tarn.cluster.wire.CallCodecs.SCOPE;
import static dev.tarn.cluster.wire.CallCodecs.SELECTION;
import static dev.tarn.cluster.wire.CallCodecs.SOURCE;

import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import java.util.HashSet;
import java.util.List;

/** The requests about one multipart upload: tag, result and fields of each. */
final class UploadRequestForms {
  static final List<RequestForm<? extends TargetRequest<?>>> ALL =
      List.of(
          RequestForm.of(
              9,
              PutPart.class,
              PART,
              (out, put) ->
                  start(out, put).number(4, put.number()).constants(5, ALGORITHMS, put.checksums()),
              in ->
                  new PutPart(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.text(3),
                      in.integer(4),
                      new HashSet<>(in.constants(5, ALGORITHMS)))),
          RequestForm.of(
              10,
              CopyPart.class,
              PART,
              (out, copy) ->
                  start(out, copy)
                      .number(4, copy.number())
                      .message(5, SOURCE, copy.source())
                      .message(6, SELECTION, copy.selection()),
              in ->
                  new CopyPart(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.text(3),
                      in.integer(4),
                      in.message(5, SOURCE),
                      in.message(6, SELECTION))),
          RequestForm.of(
              11,
              Complete.class,
              METADATA,
              (out, complete) ->
                  start(out, complete)
                      .messages(4, COMPLETED_PART, complete.parts())
                      .number(5, complete.sizeBytes())
                      .message(6, CHECKSUM, complete.checksum())
                      .message(7, PRECONDITIONS, complete.preconditions()),
              in ->
                  new Complete(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.text(3),
                      in.messages(4, COMPLETED_PART, ObjectPart.NUMBER_MAX),
                      in.optionalNumber(5),
                      in.optionalMessage(6, CHECKSUM),
                      in.message(7, PRECONDITIONS))),
          RequestForm.of(
              12,
              Abort.class,
              ResultCodecs.ABORTED,
              UploadRequestForms::start,
              in -> new Abort(in.message(1, SCOPE), in.bytes(2, ObjectKey::of), in.text(3))),
          RequestForm.of(
              13,
              ListParts.class,
              ResultCodecs.PART_PAGE,
              (out, list) ->
                  start(out, list).number(4, list.afterNumber()).number(5, list.partsMax()),
              in ->
                  new ListParts(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.text(3),
                      in.integer(4),
                      in.integer(5))));

  private UploadRequestForms() {}

  private static FieldWriter start(FieldWriter out, UploadRequest<?> request) {
    return ObjectRequestForms.start(out, request).text(3, request.uploadId());
  }
}
