package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import org.jspecify.annotations.Nullable;

/** Whether a caller may do with an object what a request asks for. */
public interface ObjectPermission {
  /** The decision without the object. */
  Decision decision();

  /**
   * Decides with the object.
   *
   * @param object null if there is none
   * @throws dev.tarn.gateway.error.S3Exception AccessDenied
   */
  void require(@Nullable ObjectMetadata object);
}
