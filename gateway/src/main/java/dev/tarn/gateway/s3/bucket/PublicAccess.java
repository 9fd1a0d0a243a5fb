package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.AccessControls.ObjectOwnership;
import dev.tarn.cluster.control.AccessControls.PublicAccessBlock;
import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The public access block and the ownership controls of buckets. */
public final class PublicAccess {
  private static final String BLOCK = "PublicAccessBlockConfiguration";
  private static final String BLOCK_ACLS = "BlockPublicAcls";
  private static final String IGNORE_ACLS = "IgnorePublicAcls";
  private static final String BLOCK_POLICY = "BlockPublicPolicy";
  private static final String RESTRICT_BUCKET = "RestrictPublicBuckets";
  private static final List<String> FLAGS =
      List.of(BLOCK_ACLS, IGNORE_ACLS, BLOCK_POLICY, RESTRICT_BUCKET);
  private static final String OWNERSHIP = "OwnershipControls";
  private static final String OBJECT_OWNERSHIP = "ObjectOwnership";
  private static final String OWNERSHIP_HEADER = "x-amz-object-ownership";

  private PublicAccess() {}

  /** GetPublicAccessBlock. */
  public record GetBlock() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      PublicAccessBlock block =
          request
              .bucket()
              .configuration()
              .access()
              .block()
              .orElseThrow(
                  () -> missing(request, S3ErrorCode.NO_SUCH_PUBLIC_ACCESS_BLOCK_CONFIGURATION));
      return Response.of(200)
          .xml(
              XmlWriter.document(BLOCK, 512)
                  .element(BLOCK_ACLS, block.blocksAcls())
                  .element(IGNORE_ACLS, block.ignoresAcls())
                  .element(BLOCK_POLICY, block.blocksPolicy())
                  .element(RESTRICT_BUCKET, block.restrictsBucket())
                  .close(BLOCK)
                  .bytes());
    }
  }

  /** PutPublicAccessBlock. */
  public record PutBlock(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      Map<String, Boolean> flags = new HashMap<>();
      for (XmlElement flag : Documents.parse(document, BLOCK).children()) {
        if (!FLAGS.contains(flag.name()) || flags.put(flag.name(), isTrue(flag)) != null) {
          throw Documents.malformed(BLOCK + " has " + flag.name() + ", unknown or twice.");
        }
      }
      PublicAccessBlock block =
          new PublicAccessBlock(
              flags.getOrDefault(BLOCK_ACLS, false),
              flags.getOrDefault(IGNORE_ACLS, false),
              flags.getOrDefault(BLOCK_POLICY, false),
              flags.getOrDefault(RESTRICT_BUCKET, false));
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetPublicAccessBlock(Optional.of(block)));
      return Response.of(200);
    }

    private static boolean isTrue(XmlElement flag) {
      return switch (flag.text().strip()) {
        case "true", "TRUE" -> true;
        case "false", "FALSE" -> false;
        default ->
            throw Documents.malformed(
                flag.name() + " is '" + flag.text() + "', must be true or false.");
      };
    }
  }

  /** DeletePublicAccessBlock. */
  public record DeleteBlock(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetPublicAccessBlock(Optional.empty()));
      return Response.of(204);
    }
  }

  /** GetBucketOwnershipControls. */
  public record GetOwnership() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      ObjectOwnership ownership =
          request
              .bucket()
              .configuration()
              .access()
              .ownership()
              .orElseThrow(() -> missing(request, S3ErrorCode.OWNERSHIP_CONTROLS_NOT_FOUND_ERROR));
      return Response.of(200)
          .xml(
              XmlWriter.document(OWNERSHIP, 512)
                  .open("Rule")
                  .element(OBJECT_OWNERSHIP, ownership.text())
                  .close("Rule")
                  .close(OWNERSHIP)
                  .bytes());
    }
  }

  /** PutBucketOwnershipControls. */
  public record PutOwnership(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      List<XmlElement> rules = Documents.parse(document, OWNERSHIP).children();
      if (rules.size() != 1 || rules.getFirst().children().size() != 1) {
        throw Documents.malformed(OWNERSHIP + " must have one Rule with one " + OBJECT_OWNERSHIP);
      }
      ObjectOwnership ownership =
          rules
              .getFirst()
              .childText(OBJECT_OWNERSHIP)
              .flatMap(ObjectOwnership::ofText)
              .orElseThrow(
                  () -> Documents.malformed("A Rule has no known " + OBJECT_OWNERSHIP + "."));
      requireFitting(ownership, request.bucket().configuration().acl());
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetOwnership(Optional.of(ownership)));
      return Response.of(200);
    }
  }

  /** DeleteBucketOwnershipControls. */
  public record DeleteOwnership(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetOwnership(Optional.empty()));
      return Response.of(204);
    }
  }

  /**
   * The ownership that a request to create a bucket names.
   *
   * @param acl of the new bucket
   * @throws S3Exception InvalidArgument, InvalidBucketAclWithObjectOwnership
   */
  static Optional<ObjectOwnership> ofNewBucket(S3Request request, AccessList acl) {
    Optional<ObjectOwnership> ownership =
        request.head().headers().find(OWNERSHIP_HEADER).map(PublicAccess::ownership);
    ownership.ifPresent(named -> requireFitting(named, acl));
    return ownership;
  }

  private static ObjectOwnership ownership(String name) {
    return ObjectOwnership.ofText(name)
        .orElseThrow(
            () -> Numbers.invalid(OWNERSHIP_HEADER, name, "There is no such object ownership."));
  }

  /**
   * Refuses an ACL that grants something where ACLs are disabled.
   *
   * @throws S3Exception InvalidBucketAclWithObjectOwnership
   */
  static void requireFitting(ObjectOwnership ownership, AccessList acl) {
    if (ownership == ObjectOwnership.BUCKET_OWNER_ENFORCED && !acl.equals(AccessList.PRIVATE)) {
      throw S3Exception.of(S3ErrorCode.INVALID_BUCKET_ACL_WITH_OBJECT_OWNERSHIP);
    }
  }

  private static S3Exception missing(S3Request request, S3ErrorCode code) {
    return S3Exception.of(code).with("BucketName", request.bucket().name());
  }
}
