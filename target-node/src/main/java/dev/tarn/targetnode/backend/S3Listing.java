package dev.tarn.targetnode.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.KeyGrouping;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.UploadDetails;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Translates the backend's listings into the target contract. A backend that does not know the
 * second version of ListObjects is asked by the first one.
 */
final class S3Listing {
  /** How many pages without entries may follow each other. */
  private static final int EMPTY_PAGES_MAX = 1000;

  /** The last characters whose UTF-8 has one, two, three and four bytes. */
  private static final int[] LAST_CHARACTERS = {0x7F, 0x7FF, 0xFFFF, Character.MAX_CODE_POINT};

  private static final String LAST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);

  private static final int BAD_REQUEST = 400;
  private static final int NOT_IMPLEMENTED = 501;

  private final S3Client s3;
  private final BackendLocation location;
  private final S3Objects objects;

  /** Whether the backend knows only the first version of ListObjects. */
  private volatile boolean byMarker;

  S3Listing(S3Client s3, BackendLocation location, S3Objects objects) {
    this.s3 = s3;
    this.location = location;
    this.objects = objects;
  }

  /**
   * A page of the backend, of either version.
   *
   * @param next where the page after this one begins, if the backend says so
   */
  private record Page(
      List<S3Object> objects, List<CommonPrefix> groups, boolean truncated, @Nullable String next) {
    boolean hasKeys() {
      return !objects.isEmpty() || !groups.isEmpty();
    }

    boolean hasGroup(String prefix) {
      return groups.stream().anyMatch(group -> prefix.equals(group.prefix()));
    }

    /** The greatest key or group; null if there is none. */
    @Nullable String lastKey() {
      return Stream.concat(
              objects.stream().map(S3Object::key), groups.stream().map(CommonPrefix::prefix))
          .filter(Objects::nonNull)
          .max(S3Listing::compare)
          .orElse(null);
    }
  }

  /**
   * The scope of a page: backend keys after {@code start} that begin with {@code prefix}.
   *
   * @param group the common prefix after which the page starts; empty if it starts elsewhere
   */
  private record Asked(
      String prefix, String delimiter, String group, String start, int entriesMax) {
    /** The same page, but it starts after the last key that the group may have. */
    Asked behindWholeGroup() {
      StringBuilder last = new StringBuilder(group);
      int bytes = group.getBytes(UTF_8).length;
      for (int length = LAST_CHARACTERS.length; length > 0; length--) {
        String character = Character.toString(LAST_CHARACTERS[length - 1]);
        int count = (ObjectKey.BYTES_MAX - bytes) / length;
        last.append(character.repeat(count));
        bytes += count * length;
      }
      return new Asked(prefix, delimiter, "", last.toString(), entriesMax);
    }
  }

  ListPage objects(String prefix, String delimiter, String after, int entriesMax) {
    if (entriesMax == 0) {
      return new ListPage(List.of(), false); // Backends differ in what they make of 0.
    }
    // Stores differ on whether a start inside a group repeats the group.
    boolean afterGroup = new KeyGrouping(prefix, delimiter).isGroup(after);
    String start = location.behind(after);
    Asked asked =
        new Asked(
            location.prefix() + prefix,
            delimiter,
            afterGroup ? start : "",
            afterGroup ? start + LAST_CHARACTER : start,
            entriesMax);
    if (!byMarker) {
      Optional<ListPage> page = firstEntries(asked, false);
      if (page.isPresent()) {
        return page.orElseThrow();
      }
    }
    ListPage page = firstEntries(asked, true).orElseThrow();
    byMarker = true;
    return page;
  }

  /**
   * The first page that has entries after the start, or the last one.
   *
   * @param markers whether to ask by the first version of ListObjects
   * @return empty if the backend does not know the second version, but was asked by it
   */
  private Optional<ListPage> firstEntries(Asked first, boolean markers) {
    Asked asked = first;
    @Nullable String next = null;
    for (int pages = 0; pages < EMPTY_PAGES_MAX; pages++) {
      Page page;
      try {
        page = markers ? pageByMarker(asked, next) : pageByToken(asked, next);
      } catch (S3Exception e) {
        if (!markers && (e.statusCode() == NOT_IMPLEMENTED || e.statusCode() == BAD_REQUEST)) {
          return Optional.empty();
        }
        throw e;
      }
      List<ListPage.Entry> entries = entries(page, asked);
      boolean beganAnew =
          entries.isEmpty() && !page.objects().isEmpty() && !asked.start().isEmpty();
      if (!markers && beganAnew) {
        return Optional.empty(); // It ignores where a second page starts.
      }
      if (!entries.isEmpty() || !page.truncated()) {
        return Optional.of(new ListPage(entries, page.truncated()));
      }
      if (page.hasGroup(asked.group())) {
        asked = asked.behindWholeGroup();
        next = null;
        continue;
      }
      String before = next;
      next = page.next() != null || !markers ? page.next() : page.lastKey();
      if (next == null && !markers && page.hasKeys()) {
        return Optional.empty(); // An answer of the first version.
      }
      if (next == null || (markers && next.equals(before))) {
        break;
      }
    }
    throw new UnusableAnswerException("a list request with a truncated page without entries");
  }

  private Page pageByToken(Asked asked, @Nullable String token) {
    ListObjectsV2Response answer =
        s3.listObjectsV2(request -> {
          request.bucket(location.bucket()).prefix(asked.prefix());
          request.maxKeys(asked.entriesMax()).encodingType(EncodingType.URL);
          if (!asked.delimiter().isEmpty()) {
            request.delimiter(asked.delimiter());
          }
          if (token != null) {
            request.continuationToken(token);
          } else if (!asked.start().isEmpty()) {
            request.startAfter(asked.start());
          }
        });
    requireListing(
        answer.isTruncated(), answer.name(), answer.hasContents() || answer.hasCommonPrefixes());
    return new Page(
        answer.contents(),
        answer.commonPrefixes(),
        Boolean.TRUE.equals(answer.isTruncated()),
        answer.nextContinuationToken());
  }

  private Page pageByMarker(Asked asked, @Nullable String next) {
    String marker = next == null ? asked.start() : next;
    ListObjectsResponse answer =
        s3.listObjects(request -> {
          request.bucket(location.bucket()).prefix(asked.prefix());
          request.maxKeys(asked.entriesMax()).encodingType(EncodingType.URL);
          if (!asked.delimiter().isEmpty()) {
            request.delimiter(asked.delimiter());
          }
          if (!marker.isEmpty()) {
            request.marker(marker);
          }
        });
    requireListing(
        answer.isTruncated(), answer.name(), answer.hasContents() || answer.hasCommonPrefixes());
    return new Page(
        answer.contents(),
        answer.commonPrefixes(),
        Boolean.TRUE.equals(answer.isTruncated()),
        answer.nextMarker());
  }

  /** Refuses an answer that holds nothing of what every listing has. */
  private static void requireListing(
      @Nullable Boolean truncated, @Nullable String name, boolean hasEntries) {
    if (truncated == null && name == null && !hasEntries) {
      throw new UnusableAnswerException("a list request with a document that is not a listing");
    }
  }

  /**
   * The entries of a page after its start, in order. The object whose key is the location's prefix
   * has no name in the bucket: consoles make such objects to show a folder.
   */
  private List<ListPage.Entry> entries(Page page, Asked asked) {
    List<S3Object> named = new ArrayList<>(page.objects().size());
    for (S3Object object : page.objects()) {
      if (isNamed(object.key(), asked)) {
        named.add(object);
      }
    }
    List<ListPage.Entry> entries = new ArrayList<>(described(named));
    for (CommonPrefix group : page.groups()) {
      if (isNamed(group.prefix(), asked)) {
        entries.add(new ListPage.CommonPrefix(key(group.prefix())));
      }
    }
    entries.sort(Comparator.comparing(entry -> ObjectKey.of(entry.orderBytes())));
    return entries;
  }

  private boolean isNamed(@Nullable String backendKey, Asked asked) {
    if (backendKey == null || !backendKey.startsWith(asked.prefix())) {
      throw new UnusableAnswerException(
          "a list request with keys outside its prefix", String.valueOf(backendKey));
    }
    return backendKey.length() > location.prefix().length() && isAfter(backendKey, asked.start());
  }

  private static boolean isAfter(String backendKey, String start) {
    return start.isEmpty() || compare(backendKey, start) > 0;
  }

  /** Compares by the bytes of the keys. */
  private static int compare(String key, String other) {
    return Arrays.compareUnsigned(key.getBytes(UTF_8), other.getBytes(UTF_8));
  }

  /** The objects with size, time and ETag. The backend is asked for what the listing lacks. */
  private List<ListPage.Entry> described(List<S3Object> listed) {
    if (listed.stream().allMatch(S3Listing::isComplete)) {
      return listed.stream().map(this::entry).toList();
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Optional<ListPage.Entry>>> asked =
          listed.stream()
              .map(object -> CompletableFuture.supplyAsync(() -> describedAlone(object), threads))
              .toList();
      return asked.stream().map(S3Listing::await).flatMap(Optional::stream).toList();
    }
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private static boolean isComplete(S3Object object) {
    return object.size() != null
        && object.size() >= 0
        && object.lastModified() != null
        && object.eTag() != null;
  }

  /** The entry of an object; empty if the listing does not describe it, and it is gone now. */
  private Optional<ListPage.Entry> describedAlone(S3Object object) {
    if (isComplete(object)) {
      return Optional.of(entry(object));
    }
    ObjectKey key = key(object.key());
    try {
      BackendObject found = objects.head(key, Optional.empty());
      return Optional.of(
          new ListPage.ObjectEntry(
              key,
              found.sizeBytes(),
              found.etag(),
              found.modifiedMs(),
              List.of(),
              Optional.empty(),
              found.attributes().storageClass()));
    } catch (S3Exception e) {
      if (BackendFailures.codeOf(e).equals("NoSuchKey")) {
        return Optional.empty();
      }
      throw e;
    } catch (BackendException e) {
      if (e.failure() instanceof Failure.NoSuchKey) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private ListPage.Entry entry(S3Object object) {
    List<ChecksumAlgorithm> checksums =
        object.checksumAlgorithmAsStrings().stream()
            .flatMap(name -> ChecksumAlgorithm.find(name).stream())
            .toList();
    long modifiedMs = Math.max(0, object.lastModified().toEpochMilli());
    return new ListPage.ObjectEntry(
        key(object.key()),
        object.size(),
        Validator.of(Optional.of(object.eTag()), modifiedMs, object.size()).etag(),
        modifiedMs,
        checksums,
        Optional.ofNullable(object.checksumTypeAsString()).flatMap(S3Listing::checksumType),
        storageClass(object.storageClassAsString()));
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
    requireListing(answer.isTruncated(), answer.bucket(), answer.hasParts());
    List<ObjectPart> parts = answer.parts().stream().map(S3Uploads::part).toList();
    boolean truncated = partsMax > 0 && Boolean.TRUE.equals(answer.isTruncated());
    if (truncated && (parts.isEmpty() || parts.getLast().number() <= afterNumber)) {
      throw new UnusableAnswerException("ListParts with a truncated page without further parts");
    }
    return new PartPage(
        parts,
        truncated,
        details(
            answer.checksumAlgorithmAsString(),
            answer.checksumTypeAsString(),
            answer.storageClassAsString()));
  }

  UploadPage uploads(ListRequest.ListUploads asked) {
    if (asked.entriesMax() == 0) {
      return new UploadPage(List.of(), false);
    }
    String keyMarker = asked.afterKey().isEmpty() ? "" : location.behind(asked.afterKey());
    String idMarker = asked.afterUploadId();
    for (int pages = 0; pages < EMPTY_PAGES_MAX; pages++) {
      ListMultipartUploadsResponse answer = uploads(asked, keyMarker, idMarker);
      List<UploadPage.Entry> entries = uploads(answer, asked);
      boolean truncated = Boolean.TRUE.equals(answer.isTruncated());
      if (!entries.isEmpty() || !truncated) {
        return new UploadPage(entries, truncated);
      }
      if (answer.nextKeyMarker() == null || answer.nextKeyMarker().equals(keyMarker)) {
        break;
      }
      keyMarker = answer.nextKeyMarker();
      idMarker = answer.nextUploadIdMarker() == null ? "" : answer.nextUploadIdMarker();
    }
    throw new UnusableAnswerException(
        "a list request for uploads with a truncated page without entries");
  }

  private ListMultipartUploadsResponse uploads(
      ListRequest.ListUploads asked, String keyMarker, String idMarker) {
    ListMultipartUploadsResponse answer =
        s3.listMultipartUploads(request -> {
          request.bucket(location.bucket()).prefix(location.prefix() + asked.prefix());
          request.maxUploads(asked.entriesMax()).encodingType(EncodingType.URL);
          if (!asked.delimiter().isEmpty()) {
            request.delimiter(asked.delimiter());
          }
          if (!keyMarker.isEmpty()) {
            request.keyMarker(keyMarker);
            request.uploadIdMarker(idMarker);
          }
        });
    requireListing(
        answer.isTruncated(), answer.bucket(), answer.hasUploads() || answer.hasCommonPrefixes());
    return answer;
  }

  private List<UploadPage.Entry> uploads(
      ListMultipartUploadsResponse answer, ListRequest.ListUploads request) {
    Asked asked = new Asked(location.prefix() + request.prefix(), request.delimiter(), "", "", 0);
    List<UploadPage.Entry> entries = new ArrayList<>();
    for (MultipartUpload upload : answer.uploads()) {
      if (isNamed(upload.key(), asked)) {
        entries.add(entry(upload));
      }
    }
    for (CommonPrefix group : answer.commonPrefixes()) {
      if (isNamed(group.prefix(), asked)) {
        entries.add(new UploadPage.CommonPrefix(key(group.prefix())));
      }
    }
    entries.sort(Comparator.comparing(UploadPage.Entry::key));
    return entries;
  }

  private UploadPage.Entry entry(MultipartUpload upload) {
    if (upload.uploadId() == null) {
      throw new UnusableAnswerException("a list request for uploads without an upload id");
    }
    return new UploadPage.UploadEntry(
        key(upload.key()),
        upload.uploadId(),
        upload.initiated() == null ? 0 : upload.initiated().toEpochMilli(),
        details(
            upload.checksumAlgorithmAsString(),
            upload.checksumTypeAsString(),
            upload.storageClassAsString()));
  }

  private static UploadDetails details(
      @Nullable String checksum, @Nullable String checksumType, @Nullable String storageClass) {
    return new UploadDetails(
        Optional.ofNullable(checksum).flatMap(ChecksumAlgorithm::find),
        Optional.ofNullable(checksumType).flatMap(S3Listing::checksumType),
        storageClass(storageClass),
        Optional.empty());
  }

  private static String storageClass(@Nullable String told) {
    return told == null ? ObjectAttributes.NONE.storageClass() : told;
  }

  private static Optional<ChecksumType> checksumType(String name) {
    for (ChecksumType type : ChecksumType.values()) {
      if (type.name().equals(name)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  private ObjectKey key(String backendKey) {
    try {
      return ObjectKey.of(location.withoutPrefix(backendKey));
    } catch (IllegalArgumentException e) {
      throw new UnusableAnswerException("a list request with a key that is too long", backendKey);
    }
  }
}
