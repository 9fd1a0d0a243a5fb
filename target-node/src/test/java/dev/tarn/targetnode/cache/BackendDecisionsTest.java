package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.Received;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What becomes of each field of a request in a bucket with a backend. A new field without a
 * decision fails here.
 */
class BackendDecisionsTest {
  private static final ObjectKey KEY = ObjectKey.of("key");
  static final String VERSION = "a-version";

  private final SmallS3 other = SmallS3.start(Dialect.AWS);
  private final BackedNode bucket;

  BackendDecisionsTest(@TempDir Path folder) {
    bucket = new BackedNode(folder, other, "data/");
    other.objects().put("data/key", new byte[10], Map.of());
    other.objects().put("data/source", new byte[20], Map.of());
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  private final Map<String, FieldDecision> decisions = new TreeMap<>();

  private void sent(String field, FieldDecision.Step call, Predicate<Received> request) {
    decisions.put(field, new FieldDecision.Sent(call, request));
  }

  private void here(String field, String how) {
    decisions.put(field, new FieldDecision.Here(how));
  }

  private void decide() {
    for (String request :
        List.of(
            "Get",
            "Head",
            "Put",
            "Delete",
            "Copy",
            "SetTags",
            "SetAcl",
            "SetLock",
            "ListObjects",
            "ListVersions",
            "ListUploads",
            "Evict",
            "CreateUpload",
            "PutPart",
            "CopyPart",
            "Complete",
            "Abort",
            "ListParts",
            "CopySource")) {
      here(request + ".scope", "names the bucket; its traceparent is sent by TraceHeader");
    }
    decideReads();
    decideWrites();
    decideCopies();
    decideUploads();
    decideListings();
    here("Evict.prefix", "drops cached bytes; the backend is not asked");
    here("Evict.after", "bounds what is dropped");
    here("Evict.entriesMax", "bounds what is dropped");
    here("Evict.keys", "bounds what is dropped");
  }

  private void decideReads() {
    FieldDecision.Step get = () -> bucket.call(get(Optional.of(VERSION), Selection.WHOLE));
    sent("Get.key", get, request -> request.key().equals("data/key"));
    sent("Get.version", get, SentFields::hasVersion);
    sent(
        "Get.selection",
        () -> bucket.call(get(Optional.empty(), new Selection.Part(1))),
        request -> "1".equals(request.query().get("partNumber")));
    here("Get.preconditions", "evaluated on the backend's metadata");
    here("Get.verified", "verifies stored bytes");
    FieldDecision.Step head =
        () ->
            bucket.call(
                new TargetRequest.Head(
                    bucket.scope(),
                    KEY,
                    Optional.of(VERSION),
                    Selection.WHOLE,
                    Preconditions.NONE));
    sent("Head.key", head, request -> request.key().equals("data/key"));
    sent("Head.version", head, SentFields::hasVersion);
    sent(
        "Head.selection",
        () -> bucket.head("key", new Selection.Part(1)),
        request -> "1".equals(request.query().get("partNumber")));
    here("Head.preconditions", "evaluated on the backend's metadata");
    sent(
        "Head.tagged", () -> bucket.tags("key"), request -> request.query().containsKey("tagging"));
  }

  private void decideWrites() {
    ObjectAttributes attributes =
        new ObjectAttributes(
            Map.of("x-amz-storage-class", "STANDARD_IA", "content-language", "de"),
            Map.of("who", "me"),
            Map.of("tag", "a b"));
    FieldDecision.Step put = () -> put(attributes, conditions(List.of("e1"), List.of("e2")));
    sent("Put.key", put, request -> request.key().equals("data/key"));
    sent("Put.attributes", put, SentFields::hasAttributes);
    sent("ObjectAttributes.headers", put, SentFields::hasAttributes);
    sent(
        "ObjectAttributes.userMetadata",
        put,
        request -> request.header("x-amz-meta-who").equals("me"));
    sent(
        "ObjectAttributes.tags", put, request -> request.header("x-amz-tagging").equals("tag=a+b"));
    here("Put.checksums", "computed and compared before the backend gets the last byte");
    sent("Put.preconditions", put, SentFields::hasConditions);
    sent("Preconditions.ifMatch", put, request -> request.header("if-match").equals("\"e1\""));
    sent(
        "Preconditions.ifNoneMatch",
        put,
        request -> request.header("if-none-match").equals("\"e2\""));
    here("Preconditions.ifModifiedSinceMs", "reads: evaluated here; deletes: refused");
    here("Preconditions.ifUnmodifiedSinceMs", "reads: evaluated here; deletes: refused");
    here("Preconditions.ifSizeBytes", "deletes: refused");
    here("Preconditions.ifModifiedAtMs", "deletes: refused");
    FieldDecision.Step delete =
        () ->
            bucket.call(
                new TargetRequest.Delete(
                    bucket.scope(),
                    KEY,
                    Optional.of(VERSION),
                    conditions(List.of("e1"), List.of()),
                    true));
    sent("Delete.key", delete, request -> request.key().equals("data/key"));
    sent("Delete.version", delete, SentFields::hasVersion);
    sent(
        "Delete.bypassesGovernance",
        delete,
        request -> request.header("x-amz-bypass-governance-retention").equals("true"));
    sent("Delete.preconditions", delete, request -> request.header("if-match").equals("\"e1\""));
    FieldDecision.Step tag =
        () ->
            bucket.call(
                new TargetRequest.SetTags(
                    bucket.scope(), KEY, Optional.of(VERSION), Map.of("tag", "x")));
    sent("SetTags.key", tag, request -> request.key().equals("data/key"));
    sent("SetTags.version", tag, SentFields::hasVersion);
    sent("SetTags.tags", tag, request -> new String(request.body(), UTF_8).contains("tag"));
    FieldDecision.Step acl =
        () ->
            bucket.call(
                new TargetRequest.SetAcl(
                    bucket.scope(), KEY, Optional.empty(), AccessList.PUBLIC_READ));
    for (String field : List.of("SetAcl.key", "SetAcl.version", "SetAcl.acl")) {
      decisions.put(field, new FieldDecision.Refused(acl));
    }
    FieldDecision.Step lock =
        () ->
            bucket.call(
                new TargetRequest.SetLock(
                    bucket.scope(), KEY, Optional.empty(), new ObjectLock.Change.Hold(true)));
    for (String field : List.of("SetLock.key", "SetLock.version", "SetLock.change")) {
      decisions.put(field, new FieldDecision.Refused(lock));
    }
  }

  private void decideCopies() {
    ObjectAttributes attributes =
        new ObjectAttributes(
            Map.of("x-amz-storage-class", "STANDARD_IA", "content-language", "de"),
            Map.of("who", "me"),
            Map.of());
    FieldDecision.Step copy =
        () ->
            bucket.call(
                copy(
                    Optional.of(attributes),
                    Optional.of(Map.of("tag", "a b")),
                    Preconditions.NONE));
    sent("Copy.key", copy, request -> request.key().equals("data/key"));
    sent("Copy.source", copy, SentFields::hasSource);
    sent("CopySource.key", copy, SentFields::hasSource);
    sent(
        "CopySource.version",
        copy,
        request -> request.header("x-amz-copy-source").endsWith("?versionId=" + VERSION));
    here("CopySource.preconditions", "evaluated on the backend's metadata of the source");
    sent("Copy.attributes", copy, SentFields::hasAttributes);
    sent("Copy.tags", copy, request -> request.header("x-amz-tagging").equals("tag=a+b"));
    sent(
        "Copy.ownHeaders",
        copy,
        request -> request.header("x-amz-storage-class").equals("STANDARD_IA"));
    here("Copy.checksums", "the backend's copy has the backend's checksums");
    decisions.put(
        "Copy.preconditions",
        new FieldDecision.Refused(() ->
            bucket.call(
                copy(Optional.empty(), Optional.empty(), conditions(List.of("e"), List.of())))));
  }

  private void decideUploads() {
    ObjectAttributes attributes =
        new ObjectAttributes(
            Map.of("x-amz-storage-class", "STANDARD_IA", "content-language", "de"),
            Map.of("who", "me"),
            Map.of("tag", "a b"));
    FieldDecision.Step create = () -> create(attributes);
    sent("CreateUpload.key", create, request -> request.key().equals("data/key"));
    sent("CreateUpload.attributes", create, SentFields::hasAttributes);
    here("CreateUpload.checksum", "computed for each part, compared when the upload is completed");
    here("CreateUpload.checksumType", "combined from the parts when the upload is completed");
    FieldDecision.Step part = () -> putPart(value(create(ObjectAttributes.NONE)), 3);
    sent("PutPart.key", part, request -> request.key().equals("data/key"));
    sent("PutPart.uploadId", part, request -> request.query().containsKey("uploadId"));
    sent("PutPart.number", part, request -> "3".equals(request.query().get("partNumber")));
    here("PutPart.checksums", "computed and compared before the backend gets the last byte");
    FieldDecision.Step copy =
        () ->
            bucket.call(
                new UploadRequest.CopyPart(
                    bucket.scope(),
                    KEY,
                    value(create(ObjectAttributes.NONE)),
                    4,
                    source(Optional.of(sourceVersion())),
                    new Selection.Range(1, 5)));
    sent("CopyPart.key", copy, request -> request.key().equals("data/key"));
    sent("CopyPart.uploadId", copy, request -> request.query().containsKey("uploadId"));
    sent("CopyPart.number", copy, request -> "4".equals(request.query().get("partNumber")));
    sent("CopyPart.source", copy, SentFields::hasSource);
    sent(
        "CopyPart.selection",
        copy,
        request -> request.header("x-amz-copy-source-range").equals("bytes=1-5"));
    decideCompletion();
    FieldDecision.Step abort =
        () ->
            bucket.call(
                new UploadRequest.Abort(bucket.scope(), KEY, value(create(ObjectAttributes.NONE))));
    sent("Abort.key", abort, request -> request.key().equals("data/key"));
    sent("Abort.uploadId", abort, request -> request.query().containsKey("uploadId"));
    FieldDecision.Step list =
        () ->
            bucket.call(
                new UploadRequest.ListParts(
                    bucket.scope(), KEY, value(create(ObjectAttributes.NONE)), 7, 8));
    sent("ListParts.key", list, request -> request.key().equals("data/key"));
    sent("ListParts.uploadId", list, request -> request.query().containsKey("uploadId"));
    sent(
        "ListParts.afterNumber",
        list,
        request -> "7".equals(request.query().get("part-number-marker")));
    sent("ListParts.partsMax", list, request -> "8".equals(request.query().get("max-parts")));
  }

  private void decideCompletion() {
    FieldDecision.Step complete = () -> complete(OptionalLong.of(10), Optional.empty(), List.of());
    sent("Complete.key", complete, request -> request.key().equals("data/key"));
    sent("Complete.uploadId", complete, request -> request.query().containsKey("uploadId"));
    sent("Complete.parts", complete, SentFields::namesAPart);
    sent("CompletedPart.number", complete, SentFields::namesAPart);
    sent("CompletedPart.etag", complete, SentFields::namesAPart);
    sent(
        "Complete.sizeBytes",
        complete,
        request -> request.header("x-amz-mp-object-size").equals("10"));
    ObjectChecksum wrong =
        new ObjectChecksum(ChecksumAlgorithm.CRC32, ChecksumType.FULL_OBJECT, "AAAAAA==");
    decisions.put(
        "Complete.checksum",
        new FieldDecision.Refused(
            () -> complete(OptionalLong.empty(), Optional.of(wrong), List.of())));
    for (String field :
        List.of(
            "CompletedPart.checksums",
            "ObjectChecksum.algorithm",
            "ObjectChecksum.type",
            "ObjectChecksum.value")) {
      decisions.put(
          field,
          new FieldDecision.Refused(
              () -> complete(OptionalLong.empty(), Optional.empty(), List.of(wrong))));
    }
    sent("Complete.preconditions", complete, SentFields::hasConditions);
  }

  private void decideListings() {
    FieldDecision.Step list = () -> bucket.list("p", "/", "pa", 7);
    sent("ListObjects.prefix", list, request -> "data/p".equals(request.query().get("prefix")));
    sent("ListObjects.delimiter", list, request -> "/".equals(request.query().get("delimiter")));
    sent(
        "ListObjects.after", list, request -> "data/pa".equals(request.query().get("start-after")));
    sent("ListObjects.entriesMax", list, request -> "7".equals(request.query().get("max-keys")));
    FieldDecision.Step versions =
        () -> bucket.call(new ListRequest.ListVersions(bucket.scope(), "p", "/", "pa", "", 7));
    sent(
        "ListVersions.prefix", versions, request -> "data/p".equals(request.query().get("prefix")));
    sent(
        "ListVersions.delimiter",
        versions,
        request -> "/".equals(request.query().get("delimiter")));
    sent(
        "ListVersions.afterKey",
        versions,
        request -> "data/pa".equals(request.query().get("start-after")));
    here("ListVersions.afterVersion", "each key has one null version");
    sent(
        "ListVersions.entriesMax",
        versions,
        request -> "7".equals(request.query().get("max-keys")));
    FieldDecision.Step uploads =
        () -> bucket.call(new ListRequest.ListUploads(bucket.scope(), "p", "/", "pa", "id", 7));
    sent("ListUploads.prefix", uploads, request -> "data/p".equals(request.query().get("prefix")));
    sent("ListUploads.delimiter", uploads, request -> "/".equals(request.query().get("delimiter")));
    sent(
        "ListUploads.afterKey",
        uploads,
        request -> "data/pa".equals(request.query().get("key-marker")));
    sent(
        "ListUploads.afterUploadId",
        uploads,
        request -> "id".equals(request.query().get("upload-id-marker")));
    sent(
        "ListUploads.entriesMax",
        uploads,
        request -> "7".equals(request.query().get("max-uploads")));
  }

  @Test
  void eachFieldOfEachRequestHasADecision() {
    decide();
    Set<String> fields = new TreeSet<>();
    for (Class<?> type : records(TargetRequest.class)) {
      fields.addAll(fieldsOf(type));
    }
    for (Class<?> part :
        List.of(
            ObjectAttributes.class,
            Preconditions.class,
            CopySource.class,
            CompletedPart.class,
            ObjectChecksum.class)) {
      fields.addAll(fieldsOf(part));
    }

    assertThat(decisions.keySet()).containsExactlyInAnyOrderElementsOf(fields);
  }

  @TestFactory
  Stream<DynamicTest> eachFieldReachesTheBackendOrIsRefused() {
    decide();
    return decisions.entrySet().stream()
        .filter(entry -> !(entry.getValue() instanceof FieldDecision.Here))
        .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> entry.getValue().show(other)));
  }

  private static List<Class<?>> records(Class<?> sealed) {
    List<Class<?>> records = new ArrayList<>();
    for (Class<?> permitted : sealed.getPermittedSubclasses()) {
      if (permitted.isRecord()) {
        records.add(permitted);
      } else {
        records.addAll(records(permitted));
      }
    }
    return records;
  }

  private static List<String> fieldsOf(Class<?> type) {
    return Stream.of(type.getRecordComponents())
        .map(RecordComponent::getName)
        .map(name -> type.getSimpleName() + "." + name)
        .toList();
  }

  private TargetRequest.Get get(Optional<String> version, Selection selection) {
    return new TargetRequest.Get(bucket.scope(), KEY, version, selection, Preconditions.NONE);
  }

  private Outcome<?> put(ObjectAttributes attributes, Preconditions preconditions) {
    return Calls.await(
        bucket
            .node()
            .target()
            .call(
                new TargetRequest.Put(bucket.scope(), KEY, attributes, Set.of(), preconditions),
                TestBody.of(new byte[5])));
  }

  private TargetRequest.Copy copy(
      Optional<ObjectAttributes> attributes,
      Optional<Map<String, String>> tags,
      Preconditions preconditions) {
    return new TargetRequest.Copy(
        bucket.scope(),
        KEY,
        source(Optional.of(VERSION)),
        attributes,
        tags,
        Map.of(ObjectAttributes.STORAGE_CLASS, "STANDARD_IA"),
        Set.of(),
        preconditions);
  }

  private CopySource source(Optional<String> version) {
    return new CopySource(bucket.scope(), ObjectKey.of("source"), version, Preconditions.NONE);
  }

  private String sourceVersion() {
    return other.objects().find("data/source", null).orElseThrow().version();
  }

  private Outcome<String> create(ObjectAttributes attributes) {
    return bucket.call(
        new TargetRequest.CreateUpload(
            bucket.scope(),
            KEY,
            attributes,
            Optional.of(ChecksumAlgorithm.CRC32),
            Optional.empty()));
  }

  private Outcome<ObjectPart> putPart(String upload, int number) {
    return Calls.await(
        bucket
            .node()
            .target()
            .call(
                new UploadRequest.PutPart(bucket.scope(), KEY, upload, number, Set.of()),
                TestBody.of(new byte[10])));
  }

  private Outcome<?> complete(
      OptionalLong size, Optional<ObjectChecksum> checksum, List<ObjectChecksum> ofPart) {
    String upload = value(create(ObjectAttributes.NONE));
    ObjectPart part = value(putPart(upload, 1));
    return bucket.call(
        new UploadRequest.Complete(
            bucket.scope(),
            KEY,
            upload,
            List.of(new CompletedPart(1, part.etag(), ofPart)),
            size,
            checksum,
            conditions(List.of("e1"), List.of("e2"))));
  }

  private static Preconditions conditions(List<String> ifMatch, List<String> ifNoneMatch) {
    return new Preconditions(ifMatch, ifNoneMatch, OptionalLong.empty(), OptionalLong.empty());
  }
}
