package dev.tarn.cluster.wire;

import static dev.tarn.cluster.object.ObjectCodecs.ALGORITHMS;
import static dev.tarn.cluster.object.ObjectCodecs.ATTRIBUTES;
import static dev.tarn.cluster.object.ObjectCodecs.CHECKSUM_TYPES;
import static dev.tarn.cluster.object.ObjectCodecs.HEADERS_MAX;
import static dev.tarn.cluster.object.ObjectCodecs.METADATA;
import static dev.tarn.cluster.object.ObjectCodecs.TAGS_MAX;
import static dev.tarn.cluster.wire.CallCodecs.LOCK_CHANGE;
import static dev.tarn.cluster.wire.CallCodecs.OUTDATED_KEY;
import static dev.tarn.cluster.wire.CallCodecs.PRECONDITIONS;
import static dev.tarn.cluster.wire.CallCodecs.SCOPE;
import static dev.tarn.cluster.wire.CallCodecs.SELECTION;
import static dev.tarn.cluster.wire.CallCodecs.SOURCE;
import static dev.tarn.cluster.wire.CallCodecs.TAGS;

import dev.tarn.cluster.codec.FieldWriter;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.ListRequest.ListUploads;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetLock;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import java.util.HashSet;
import java.util.List;

/** The requests about objects and buckets: tag, result and fields of each. */
final class ObjectRequestForms {
  static final List<RequestForm<? extends TargetRequest<?>>> ALL =
      List.of(
          RequestForm.of(
              1,
              Get.class,
              ResultCodecs.HEAD,
              (out, get) ->
                  start(out, get)
                      .text(3, get.version())
                      .message(4, SELECTION, get.selection())
                      .message(5, PRECONDITIONS, get.preconditions())
                      .flag(6, get.verified()),
              in ->
                  new Get(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.optionalText(3),
                      in.message(4, SELECTION),
                      in.message(5, PRECONDITIONS),
                      in.flag(6))),
          RequestForm.of(
              2,
              Head.class,
              ResultCodecs.HEAD,
              (out, head) ->
                  start(out, head)
                      .text(3, head.version())
                      .message(4, SELECTION, head.selection())
                      .message(5, PRECONDITIONS, head.preconditions())
                      .required(6) // Without the tags, a copy would lose them.
                      .flag(6, head.tagged()),
              in ->
                  new Head(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.optionalText(3),
                      in.message(4, SELECTION),
                      in.message(5, PRECONDITIONS),
                      in.flag(6))),
          RequestForm.of(
              3,
              Put.class,
              METADATA,
              (out, put) ->
                  start(out, put)
                      .message(3, ATTRIBUTES, put.attributes())
                      .constants(4, ALGORITHMS, put.checksums())
                      .message(5, PRECONDITIONS, put.preconditions()),
              in ->
                  new Put(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.message(3, ATTRIBUTES),
                      new HashSet<>(in.constants(4, ALGORITHMS)),
                      in.message(5, PRECONDITIONS))),
          RequestForm.of(
              4,
              Delete.class,
              ResultCodecs.DELETED,
              (out, delete) ->
                  start(out, delete)
                      .text(3, delete.version())
                      .message(4, PRECONDITIONS, delete.preconditions())
                      .flag(5, delete.bypassesGovernance()),
              in ->
                  new Delete(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.optionalText(3),
                      in.message(4, PRECONDITIONS),
                      in.flag(5))),
          RequestForm.of(
              5,
              Copy.class,
              METADATA,
              (out, copy) ->
                  start(out, copy)
                      .message(3, SOURCE, copy.source())
                      .message(4, ATTRIBUTES, copy.attributes())
                      .message(5, TAGS, copy.tags())
                      .map(6, copy.ownHeaders())
                      .constants(7, ALGORITHMS, copy.checksums())
                      .message(8, PRECONDITIONS, copy.preconditions()),
              in ->
                  new Copy(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.message(3, SOURCE),
                      in.optionalMessage(4, ATTRIBUTES),
                      in.optionalMessage(5, TAGS),
                      in.map(6, HEADERS_MAX),
                      new HashSet<>(in.constants(7, ALGORITHMS)),
                      in.message(8, PRECONDITIONS))),
          RequestForm.of(
              6,
              SetTags.class,
              METADATA,
              (out, set) -> start(out, set).text(3, set.version()).map(4, set.tags()),
              in ->
                  new SetTags(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.optionalText(3),
                      in.map(4, TAGS_MAX))),
          RequestForm.of(
              7,
              ListObjects.class,
              ResultCodecs.LIST_PAGE,
              (out, list) ->
                  out.message(1, SCOPE, list.scope())
                      .text(2, list.prefix())
                      .text(3, list.delimiter())
                      .text(4, list.after())
                      .number(5, list.entriesMax()),
              in ->
                  new ListObjects(
                      in.message(1, SCOPE), in.text(2), in.text(3), in.text(4), in.integer(5))),
          RequestForm.of(
              8,
              CreateUpload.class,
              ResultCodecs.UPLOAD_ID,
              (out, create) ->
                  start(out, create)
                      .message(3, ATTRIBUTES, create.attributes())
                      .constant(4, ALGORITHMS, create.checksum())
                      .constant(5, CHECKSUM_TYPES, create.checksumType()),
              in ->
                  new CreateUpload(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.message(3, ATTRIBUTES),
                      in.optionalConstant(4, ALGORITHMS),
                      in.optionalConstant(5, CHECKSUM_TYPES))),
          RequestForm.of(
              14,
              ListUploads.class,
              ResultCodecs.UPLOAD_PAGE,
              (out, list) ->
                  out.message(1, SCOPE, list.scope())
                      .text(2, list.prefix())
                      .text(3, list.delimiter())
                      .text(4, list.afterKey())
                      .text(5, list.afterUploadId())
                      .number(6, list.entriesMax()),
              in ->
                  new ListUploads(
                      in.message(1, SCOPE),
                      in.text(2),
                      in.text(3),
                      in.text(4),
                      in.text(5),
                      in.integer(6))),
          RequestForm.of(
              15,
              ListVersions.class,
              ResultCodecs.VERSION_PAGE,
              (out, list) ->
                  out.message(1, SCOPE, list.scope())
                      .text(2, list.prefix())
                      .text(3, list.delimiter())
                      .text(4, list.afterKey())
                      .text(5, list.afterVersion())
                      .number(6, list.entriesMax()),
              in ->
                  new ListVersions(
                      in.message(1, SCOPE),
                      in.text(2),
                      in.text(3),
                      in.text(4),
                      in.text(5),
                      in.integer(6))),
          RequestForm.of(
              16,
              SetAcl.class,
              METADATA,
              (out, set) -> start(out, set).text(3, set.version()).text(4, set.acl().text()),
              in ->
                  new SetAcl(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.optionalText(3),
                      AccessList.parse(in.text(4)))),
          RequestForm.of(
              17,
              Evict.class,
              ResultCodecs.EVICTED,
              (out, evict) ->
                  out.message(1, SCOPE, evict.scope())
                      .text(2, evict.prefix())
                      .text(3, evict.after())
                      .number(4, evict.entriesMax())
                      .required(5) // Without the keys, everything would be evicted.
                      .messages(5, OUTDATED_KEY, evict.keys()),
              in ->
                  new Evict(
                      in.message(1, SCOPE),
                      in.text(2),
                      in.text(3),
                      in.integer(4),
                      in.messages(5, OUTDATED_KEY, TargetRequest.PAGE_MAX))),
          RequestForm.of(
              18,
              SetLock.class,
              METADATA,
              (out, set) ->
                  start(out, set).text(3, set.version()).message(4, LOCK_CHANGE, set.change()),
              in ->
                  new SetLock(
                      in.message(1, SCOPE),
                      in.bytes(2, ObjectKey::of),
                      in.optionalText(3),
                      in.message(4, LOCK_CHANGE))));

  private ObjectRequestForms() {}

  /** Writes the first two fields of a request about a key. */
  static FieldWriter start(FieldWriter out, TargetRequest.OfKey<?> request) {
    return out.message(1, SCOPE, request.scope()).bytes(2, request.key().bytes());
  }
}
