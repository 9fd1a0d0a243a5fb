package dev.tarn.cluster.wire;

import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.OutdatedKey;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.cluster.target.UploadRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** One of everything that crosses the wire, with every field set somewhere and empty elsewhere. */
final class WireSamples {
  static final CallContext CONTEXT =
      new CallContext(
          "0123456789ABCDEF",
          Optional.of("user-1"),
          TrafficClass.BACKGROUND,
          Optional.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
  static final CallScope SCOPE = new CallScope(new BucketId(7), 12, 3, CONTEXT);
  static final ObjectKey KEY = ObjectKey.of("dir/é\u0001\ud800\udc00");
  static final ObjectChecksum CHECKSUM =
      new ObjectChecksum(ChecksumAlgorithm.CRC64NVME, ChecksumType.FULL_OBJECT, "rosUhgp5mIg=");
  static final ObjectAttributes ATTRIBUTES =
      new ObjectAttributes(
          Map.of("content-type", "a/b"), Map.of("höhe", "1"), Map.of("k", "v", "l", ""));
  static final Preconditions CONDITIONS =
      new Preconditions(
          List.of("a", "*"),
          List.of("b"),
          OptionalLong.of(-5),
          OptionalLong.of(1L << 40),
          OptionalLong.of(5L << 40),
          OptionalLong.of(-7));
  static final ObjectPart PART = new ObjectPart(10_000, 5L << 30, "e", List.of(CHECKSUM), 99);
  static final ObjectMetadata METADATA =
      new ObjectMetadata(
          new ObjectName(new BucketId(7), KEY),
          new ObjectVersion(3, 1_700_000_000_000L, 5),
          true,
          false,
          10L << 30,
          "etag-2",
          List.of(CHECKSUM),
          ATTRIBUTES,
          1_700_000_000_001L,
          List.of(PART, PART),
          new Origin("backend", "v1", 5, 6));

  /** Metadata with no optional field. */
  static final ObjectMetadata BARE_METADATA =
      new ObjectMetadata(
          new ObjectName(new BucketId(7), KEY),
          new ObjectVersion(0, 0, 0),
          false,
          true,
          0,
          "",
          List.of(),
          ObjectAttributes.NONE,
          0,
          List.of(),
          null);

  private WireSamples() {}

  static List<TargetRequest<?>> requests() {
    Optional<String> version = Optional.of("null");
    TargetRequest.CopySource source = new TargetRequest.CopySource(SCOPE, KEY, version, CONDITIONS);
    Set<ChecksumAlgorithm> all = EnumSet.allOf(ChecksumAlgorithm.class);
    return List.of(
        new TargetRequest.Get(SCOPE, KEY, version, new Selection.Range(0, 9), CONDITIONS, true),
        new TargetRequest.Get(SCOPE, KEY, Optional.empty(), Selection.WHOLE, Preconditions.NONE),
        new TargetRequest.Head(SCOPE, KEY, version, new Selection.Suffix(0), CONDITIONS),
        new TargetRequest.Head(SCOPE, KEY, version, new Selection.Part(2), CONDITIONS),
        new TargetRequest.Put(SCOPE, KEY, ATTRIBUTES, all, CONDITIONS),
        new TargetRequest.Put(SCOPE, KEY, ObjectAttributes.NONE, Set.of(), Preconditions.NONE),
        new TargetRequest.Delete(SCOPE, KEY, version, CONDITIONS),
        new TargetRequest.Delete(SCOPE, KEY, Optional.empty(), Preconditions.NONE, true),
        new TargetRequest.Copy(
            SCOPE,
            KEY,
            source,
            Optional.of(ATTRIBUTES),
            Optional.of(Map.of("t", "u")),
            Map.of("x-amz-acl", "public-read"),
            all,
            CONDITIONS),
        new TargetRequest.Copy(
            SCOPE, KEY, source, Optional.empty(), Optional.empty(), Map.of(), Set.of(), CONDITIONS),
        new TargetRequest.SetTags(SCOPE, KEY, version, Map.of("a", "b")),
        new TargetRequest.SetTags(SCOPE, KEY, Optional.empty(), Map.of()),
        new TargetRequest.SetAcl(SCOPE, KEY, version, AccessList.AUTHENTICATED_READ),
        new TargetRequest.SetLock(
            SCOPE,
            KEY,
            version,
            new ObjectLock.Change.Retain(
                Optional.of(new ObjectLock.Retention(ObjectLock.Mode.COMPLIANCE, 7)), true)),
        new TargetRequest.SetLock(
            SCOPE, KEY, version, new ObjectLock.Change.Retain(Optional.empty(), false)),
        new TargetRequest.SetLock(SCOPE, KEY, version, new ObjectLock.Change.Hold(true)),
        new ListRequest.ListObjects(SCOPE, "p/", "/", "p/a", 1000),
        new ListRequest.ListVersions(SCOPE, "p/", "/", "p/a", "null", 1000),
        new ListRequest.Evict(SCOPE, "p/", "p/a", 1000),
        ListRequest.Evict.ofKeys(
            SCOPE, List.of(new OutdatedKey(KEY, ""), new OutdatedKey(KEY, "e"))),
        TargetRequest.Head.ofTags(SCOPE, KEY, version),
        new TargetRequest.CreateUpload(
            SCOPE,
            KEY,
            ATTRIBUTES,
            Optional.of(ChecksumAlgorithm.SHA1),
            Optional.of(ChecksumType.COMPOSITE)),
        new TargetRequest.CreateUpload(
            SCOPE, KEY, ObjectAttributes.NONE, Optional.empty(), Optional.empty()),
        new UploadRequest.PutPart(SCOPE, KEY, "u-1", 10_000, all),
        new UploadRequest.PutPart(SCOPE, KEY, "u-1", 1, Set.of()),
        new UploadRequest.CopyPart(SCOPE, KEY, "u-1", 1, source, Selection.WHOLE),
        new UploadRequest.Complete(
            SCOPE,
            KEY,
            "u-1",
            List.of(
                new UploadRequest.CompletedPart(1, "", List.of()),
                new UploadRequest.CompletedPart(2, "e", List.of(CHECKSUM))),
            OptionalLong.of(5),
            Optional.of(CHECKSUM),
            CONDITIONS),
        new UploadRequest.Complete(
            SCOPE,
            KEY,
            "u-1",
            List.of(),
            OptionalLong.empty(),
            Optional.empty(),
            Preconditions.NONE),
        new UploadRequest.Abort(SCOPE, KEY, "u-1"),
        new UploadRequest.ListParts(SCOPE, KEY, "u-1", 0, 0),
        new ListRequest.ListUploads(SCOPE, "", "", "k", "u-1", 7));
  }

  static List<Failure> failures() {
    return List.of(
        new Failure.NoSuchKey(Optional.of("null")),
        new Failure.VersionIsDeleteMarker("v", 1_700_000_000_000L),
        new Failure.NoSuchVersion(),
        new Failure.NoSuchUpload(),
        new Failure.PreconditionFailed("If-Match"),
        new Failure.NotModified(METADATA),
        new Failure.LostRace(),
        new Failure.RangeNotSatisfiable(10),
        new Failure.NoSuchPart(4),
        new Failure.InvalidPart(5),
        new Failure.InvalidPartOrder(6),
        new Failure.PartTooSmall(1, 2, 3),
        new Failure.BadDigest(),
        new Failure.BadChecksum(ChecksumAlgorithm.SHA256),
        new Failure.IncompleteBody("half"),
        new Failure.InvalidRequest("why"),
        new Failure.Forbidden("no"),
        new Failure.StaleMap(9),
        new Failure.UnknownSettings(8),
        new Failure.Unavailable("disk-1"),
        new Failure.Overloaded("queue"),
        new Failure.DeadlinePassed(5),
        new Failure.OutOfSpace("full"),
        new Failure.Locked(),
        new Failure.Corrupt("crc"),
        new Failure.BackendFailed(503, "SlowDown", "later"),
        new Failure.Bug("i-1"));
  }
}
