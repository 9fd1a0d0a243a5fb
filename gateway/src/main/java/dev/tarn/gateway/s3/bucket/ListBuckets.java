package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.User;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.listing.ContinuationToken;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Owner;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.List;

/** ListBuckets: the buckets that the signer owns; all buckets for an admin user. */
public record ListBuckets(ControlPlane control, S3Settings settings) implements Operation.Blocking {
  private static final int BUCKETS_MAX = 10_000;

  @Override
  public Response answer(S3Request request, byte[] document) {
    User user = request.signer();
    String prefix = request.query("prefix", "");
    String token = request.query("continuation-token", "");
    String after = token.isEmpty() ? "" : ContinuationToken.decode(token);
    int max = maxBuckets(request);
    String region = request.query("bucket-region", settings.region());
    List<Bucket> found =
        control.state().buckets().stream()
            .filter(bucket -> user.admin() || bucket.ownerId().equals(user.id()))
            .filter(bucket -> bucket.name().startsWith(prefix))
            .filter(bucket -> bucket.name().compareTo(after) > 0)
            .filter(bucket -> region.equals(settings.region()))
            .limit(max + 1L)
            .toList();
    XmlWriter xml = XmlWriter.document("ListAllMyBucketsResult", 512 + 128 * found.size());
    Owner.of(user).write(xml, "Owner");
    xml.open("Buckets");
    List<Bucket> shown = found.subList(0, Math.min(max, found.size()));
    for (Bucket bucket : shown) {
      xml.open("Bucket")
          .element("Name", bucket.name())
          .element("CreationDate", Timestamps.iso(bucket.createdMs()))
          .element("BucketRegion", settings.region())
          .close("Bucket");
    }
    xml.close("Buckets");
    if (!prefix.isEmpty()) {
      xml.element("Prefix", prefix);
    }
    if (found.size() > max) {
      xml.element("ContinuationToken", ContinuationToken.encode(shown.getLast().name()));
    }
    return Response.of(200).xml(xml.close("ListAllMyBucketsResult").bytes());
  }

  private static int maxBuckets(S3Request request) {
    String value = request.query("max-buckets", "");
    if (value.isEmpty()) {
      return BUCKETS_MAX;
    }
    long max = Numbers.atLeastZero("max-buckets", value);
    if (max < 1 || max > BUCKETS_MAX) {
      throw Numbers.invalid(
          "max-buckets", value, "max-buckets must be between 1 and " + BUCKETS_MAX + ".");
    }
    return (int) max;
  }
}
