package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.BucketChange;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ObjectLockRule;
import dev.tarn.cluster.control.ObjectLockRule.DefaultRetention;
import dev.tarn.cluster.control.ObjectLockRule.Unit;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.s3.object.ObjectLocks;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.List;
import java.util.Optional;

/** GetObjectLockConfiguration and PutObjectLockConfiguration. */
public final class BucketObjectLock {
  private static final String ROOT = "ObjectLockConfiguration";
  private static final String LOCK_ENABLED = "ObjectLockEnabled";
  private static final String ENABLED = "Enabled";
  private static final String DEFAULT = "DefaultRetention";
  private static final String DAYS = "Days";
  private static final String YEARS = "Years";

  private BucketObjectLock() {}

  /** GetObjectLockConfiguration. */
  public record Get() implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      ObjectLockRule rule =
          request
              .bucket()
              .configuration()
              .objectLock()
              .orElseThrow(() ->
                  S3Exception.of(S3ErrorCode.OBJECT_LOCK_CONFIGURATION_NOT_FOUND_ERROR)
                      .with("BucketName", request.bucket().name()));
      XmlWriter xml = XmlWriter.document(ROOT, 512).element(LOCK_ENABLED, ENABLED);
      rule.ofNewVersions()
          .ifPresent(retention ->
              xml.open("Rule")
                  .open(DEFAULT)
                  .element("Mode", retention.mode().name())
                  .element(retention.unit() == Unit.DAYS ? DAYS : YEARS, retention.count())
                  .close(DEFAULT)
                  .close("Rule"));
      return Response.of(200).xml(xml.close(ROOT).bytes());
    }
  }

  /** PutObjectLockConfiguration. */
  public record Put(ControlPlane control) implements Operation.Blocking {
    @Override
    public Response answer(S3Request request, byte[] document) {
      if (request.bucket().settings().backend().isPresent()) {
        throw notOfBackends();
      }
      BucketOperations.change(
          control, request.bucket(), new BucketChange.SetObjectLock(rule(document)));
      return Response.of(200);
    }

    private static ObjectLockRule rule(byte[] document) {
      XmlElement root = Documents.parse(document, ROOT);
      requireKnown(root, LOCK_ENABLED, "Rule");
      if (root.childText(LOCK_ENABLED).filter(ENABLED::equals).isEmpty()) {
        throw Documents.malformed(LOCK_ENABLED + " must be " + ENABLED + ".");
      }
      List<XmlElement> rules = root.children("Rule");
      if (rules.size() > 1) {
        throw Documents.malformed(ROOT + " has more than one Rule.");
      }
      return new ObjectLockRule(
          rules.stream()
              .findFirst()
              .map(rule -> {
                requireKnown(rule, DEFAULT);
                return rule.child(DEFAULT)
                    .orElseThrow(() -> Documents.malformed("Rule has no " + DEFAULT + "."));
              })
              .map(Put::retention));
    }

    /** Refuses elements that are not known: without them, less might be protected than asked. */
    private static void requireKnown(XmlElement element, String... names) {
      for (XmlElement child : element.children()) {
        if (!List.of(names).contains(child.name())) {
          throw Documents.malformed(element.name() + " has an unknown " + child.name() + ".");
        }
      }
    }

    private static DefaultRetention retention(XmlElement retention) {
      requireKnown(retention, "Mode", DAYS, YEARS);
      ObjectLock.Mode mode = ObjectLocks.mode(retention.childText("Mode").orElse(""));
      Optional<String> days = retention.childText(DAYS);
      Optional<String> years = retention.childText(YEARS);
      if (days.isPresent() == years.isPresent()) {
        throw Documents.malformed(DEFAULT + " must have either " + DAYS + " or " + YEARS + ".");
      }
      Unit unit = days.isPresent() ? Unit.DAYS : Unit.YEARS;
      try {
        return new DefaultRetention(mode, Integer.parseInt(days.or(() -> years).orElse("")), unit);
      } catch (IllegalArgumentException e) {
        throw S3Exception.of(S3ErrorCode.INVALID_RETENTION_PERIOD);
      }
    }
  }

  /** The error for a bucket whose versions another S3 keeps. */
  static S3Exception notOfBackends() {
    return S3Exception.of(
        S3ErrorCode.NOT_IMPLEMENTED,
        "The bucket caches another S3, which keeps the versions: set object lock there.");
  }
}
