package dev.tarn.cluster.wire;

import static dev.tarn.cluster.object.ObjectCodecs.ALGORITHMS;
import static dev.tarn.cluster.object.ObjectCodecs.CHECKSUM_TYPES;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.Union;
import dev.tarn.cluster.object.ObjectCodecs;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadDetails;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import java.util.List;

/** The encoding of the results of calls. */
final class ResultCodecs {
  static final Codec<ObjectHead> HEAD =
      Codec.of(
          "head",
          (out, head) ->
              out.message(1, ObjectCodecs.METADATA, head.metadata())
                  .number(2, head.offset())
                  .number(3, head.length())
                  .number(4, head.partCount()),
          in ->
              new ObjectHead(
                  in.message(1, ObjectCodecs.METADATA), in.number(2), in.number(3), in.integer(4)));

  static final Codec<Deleted> DELETED =
      Codec.of(
          "deleted",
          (out, deleted) ->
              out.flag(1, deleted.existed())
                  .flag(2, deleted.deleteMarker())
                  .text(3, deleted.versionText()),
          in -> new Deleted(in.flag(1), in.flag(2), in.text(3)));

  static final Codec<Evicted> EVICTED =
      Codec.of(
          "evicted",
          (out, evicted) ->
              out.number(1, evicted.objects()).number(2, evicted.bytes()).text(3, evicted.next()),
          in -> new Evicted(in.number(1), in.number(2), in.text(3)));

  static final Codec<String> UPLOAD_ID =
      Codec.of("upload id", (out, id) -> out.text(1, id), in -> in.text(1));

  static final Codec<Aborted> ABORTED =
      Codec.of("aborted", (out, aborted) -> {}, in -> new Aborted());

  private static final Codec<ListPage.Entry> LIST_ENTRY =
      Union.of(
          ListPage.Entry.class,
          List.of(
              Union.alternative(
                  1,
                  ListPage.CommonPrefix.class,
                  (out, prefix) -> out.bytes(1, prefix.prefix().bytes()),
                  in -> new ListPage.CommonPrefix(in.bytes(1, ObjectKey::of))),
              Union.alternative(
                  2,
                  ListPage.ObjectEntry.class,
                  (out, object) ->
                      out.bytes(1, object.key().bytes())
                          .number(2, object.sizeBytes())
                          .text(3, object.etag())
                          .number(4, object.modifiedMs())
                          .constants(5, ALGORITHMS, object.checksums())
                          .constant(6, CHECKSUM_TYPES, object.checksumType())
                          .text(7, object.storageClass()),
                  in ->
                      new ListPage.ObjectEntry(
                          in.bytes(1, ObjectKey::of),
                          in.number(2),
                          in.text(3),
                          in.number(4),
                          in.constants(5, ALGORITHMS),
                          in.optionalConstant(6, CHECKSUM_TYPES),
                          in.text(7)))));

  static final Codec<ListPage> LIST_PAGE =
      Codec.of(
          "list page",
          (out, page) -> out.messages(1, LIST_ENTRY, page.entries()).flag(2, page.truncated()),
          in -> new ListPage(in.messages(1, LIST_ENTRY, TargetRequest.PAGE_MAX), in.flag(2)));

  private static final Codec<VersionPage.Entry> VERSION_ENTRY =
      Union.of(
          VersionPage.Entry.class,
          List.of(
              Union.alternative(
                  1,
                  VersionPage.CommonPrefix.class,
                  (out, prefix) -> out.bytes(1, prefix.key().bytes()),
                  in -> new VersionPage.CommonPrefix(in.bytes(1, ObjectKey::of))),
              Union.alternative(
                  2,
                  VersionPage.VersionEntry.class,
                  (out, version) ->
                      out.bytes(1, version.key().bytes())
                          .message(2, ObjectCodecs.VERSION, version.version())
                          .flag(3, version.nullVersion())
                          .flag(4, version.latest())
                          .flag(5, version.deleteMarker())
                          .number(6, version.sizeBytes())
                          .text(7, version.etag())
                          .number(8, version.modifiedMs())
                          .constants(9, ALGORITHMS, version.checksums())
                          .constant(10, CHECKSUM_TYPES, version.checksumType())
                          .text(11, version.storageClass()),
                  in ->
                      new VersionPage.VersionEntry(
                          in.bytes(1, ObjectKey::of),
                          in.message(2, ObjectCodecs.VERSION),
                          in.flag(3),
                          in.flag(4),
                          in.flag(5),
                          in.number(6),
                          in.text(7),
                          in.number(8),
                          in.constants(9, ALGORITHMS),
                          in.optionalConstant(10, CHECKSUM_TYPES),
                          in.text(11)))));

  static final Codec<VersionPage> VERSION_PAGE =
      Codec.of(
          "version page",
          (out, page) -> out.messages(1, VERSION_ENTRY, page.entries()).flag(2, page.truncated()),
          in -> new VersionPage(in.messages(1, VERSION_ENTRY, TargetRequest.PAGE_MAX), in.flag(2)));

  private static final Codec<UploadDetails> UPLOAD_DETAILS =
      Codec.of(
          "upload details",
          (out, details) ->
              out.constant(1, ALGORITHMS, details.checksum())
                  .constant(2, CHECKSUM_TYPES, details.checksumType())
                  .text(3, details.storageClass())
                  .text(4, details.initiator()),
          in ->
              new UploadDetails(
                  in.optionalConstant(1, ALGORITHMS),
                  in.optionalConstant(2, CHECKSUM_TYPES),
                  in.text(3),
                  in.optionalText(4)));

  static final Codec<PartPage> PART_PAGE =
      Codec.of(
          "part page",
          (out, page) ->
              out.messages(1, ObjectCodecs.PART, page.parts())
                  .flag(2, page.truncated())
                  .message(3, UPLOAD_DETAILS, page.details()),
          in ->
              new PartPage(
                  in.messages(1, ObjectCodecs.PART, ObjectPart.NUMBER_MAX),
                  in.flag(2),
                  in.message(3, UPLOAD_DETAILS)));

  private static final Codec<UploadPage.Entry> UPLOAD_ENTRY =
      Union.of(
          UploadPage.Entry.class,
          List.of(
              Union.alternative(
                  1,
                  UploadPage.CommonPrefix.class,
                  (out, prefix) -> out.bytes(1, prefix.key().bytes()),
                  in -> new UploadPage.CommonPrefix(in.bytes(1, ObjectKey::of))),
              Union.alternative(
                  2,
                  UploadPage.UploadEntry.class,
                  (out, upload) ->
                      out.bytes(1, upload.key().bytes())
                          .text(2, upload.uploadId())
                          .number(3, upload.initiatedMs())
                          .message(4, UPLOAD_DETAILS, upload.details()),
                  in ->
                      new UploadPage.UploadEntry(
                          in.bytes(1, ObjectKey::of),
                          in.text(2),
                          in.number(3),
                          in.message(4, UPLOAD_DETAILS)))));

  static final Codec<UploadPage> UPLOAD_PAGE =
      Codec.of(
          "upload page",
          (out, page) -> out.messages(1, UPLOAD_ENTRY, page.entries()).flag(2, page.truncated()),
          in -> new UploadPage(in.messages(1, UPLOAD_ENTRY, TargetRequest.PAGE_MAX), in.flag(2)));

  private ResultCodecs() {}
}
