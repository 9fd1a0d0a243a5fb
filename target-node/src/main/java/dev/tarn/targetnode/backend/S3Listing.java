package dev.tarn.targetnode.backend;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.KeyGrouping;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Translates the backend's listings into the target contract. */
final class S3Listing {
  private final S3Client s3;
  private final BackendLocation location;

  S3Listing(S3Client s3, BackendLocation location) {
    this.s3 = s3;
    this.location = location;
  }

  ListPage objects(String prefix, String delimiter, String after, int entriesMax) {
    ListObjectsV2Response answer =
        s3.listObjectsV2(request -> {
          request.bucket(location.bucket()).prefix(location.prefix() + prefix);
          request.maxKeys(entriesMax).encodingType(EncodingType.URL);
          if (!delimiter.isEmpty()) {
            request.delimiter(delimiter);
          }
          if (!after.isEmpty()) {
            request.startAfter(location.behind(afterGroup(prefix, delimiter, after)));
          }
        });
    Stream<ListPage.Entry> objects = answer.contents().stream().map(this::entry);
    Stream<ListPage.Entry> groups =
        answer.commonPrefixes().stream()
            .map(group -> new ListPage.CommonPrefix(key(group.prefix())));
    List<ListPage.Entry> entries =
        Stream.concat(objects, groups).sorted(Comparator.comparing(S3Listing::order)).toList();
    return new ListPage(entries, Boolean.TRUE.equals(answer.isTruncated()));
  }

  /**
   * The start-after text of a page. It must not repeat a common prefix of an earlier page. Stores
   * differ on whether a start inside the group repeats it; none does after the group's last key.
   */
  private static String afterGroup(String prefix, String delimiter, String after) {
    boolean group = new KeyGrouping(prefix, delimiter).isGroup(after);
    return group ? after + Character.toString(Character.MAX_CODE_POINT) : after;
  }

  PartPage parts(ObjectKey key, String uploadId, int afterNumber, int partsMax) {
    ListPartsResponse answer =
        s3.listParts(request ->
            request
                .bucket(location.bucket())
                .key(location.key(key))
                .uploadId(uploadId)
                .partNumberMarker(afterNumber)
                .maxParts(partsMax));
    return new PartPage(
        answer.parts().stream().map(S3Uploads::part).toList(),
        Boolean.TRUE.equals(answer.isTruncated()),
        Optional.ofNullable(answer.checksumAlgorithmAsString()).flatMap(ChecksumAlgorithm::find),
        Optional.ofNullable(answer.checksumTypeAsString()).map(ChecksumType::valueOf));
  }

  UploadPage uploads(TargetRequest.ListUploads asked) {
    ListMultipartUploadsResponse answer =
        s3.listMultipartUploads(request -> {
          request.bucket(location.bucket()).prefix(location.prefix() + asked.prefix());
          request.maxUploads(asked.entriesMax()).encodingType(EncodingType.URL);
          if (!asked.delimiter().isEmpty()) {
            request.delimiter(asked.delimiter());
          }
          if (!asked.afterKey().isEmpty()) {
            request.keyMarker(location.behind(asked.afterKey()));
            request.uploadIdMarker(asked.afterUploadId());
          }
        });
    List<UploadPage.Entry> entries = new ArrayList<>();
    answer.uploads().forEach(upload -> entries.add(entry(upload)));
    answer
        .commonPrefixes()
        .forEach(group -> entries.add(new UploadPage.CommonPrefix(key(group.prefix()))));
    entries.sort(Comparator.comparing(UploadPage.Entry::key));
    return new UploadPage(entries, Boolean.TRUE.equals(answer.isTruncated()));
  }

  private UploadPage.Entry entry(MultipartUpload upload) {
    return new UploadPage.UploadEntry(
        key(upload.key()),
        upload.uploadId(),
        upload.initiated() == null ? 0 : upload.initiated().toEpochMilli(),
        Optional.ofNullable(upload.checksumAlgorithmAsString()).flatMap(ChecksumAlgorithm::find),
        Optional.ofNullable(upload.checksumTypeAsString()).map(ChecksumType::valueOf));
  }

  private ListPage.Entry entry(S3Object object) {
    List<ChecksumAlgorithm> checksums =
        object.checksumAlgorithmAsStrings().stream()
            .flatMap(name -> ChecksumAlgorithm.find(name).stream())
            .toList();
    return new ListPage.ObjectEntry(
        key(object.key()),
        object.size(),
        S3Backend.unquoted(object.eTag()),
        object.lastModified().toEpochMilli(),
        checksums);
  }

  private static ObjectKey order(ListPage.Entry entry) {
    return ObjectKey.of(entry.orderBytes());
  }

  private ObjectKey key(String backendKey) {
    return ObjectKey.of(location.withoutPrefix(backendKey));
  }
}
