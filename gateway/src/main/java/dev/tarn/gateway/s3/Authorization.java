package dev.tarn.gateway.s3;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.User;
import dev.tarn.gateway.auth.Authentication;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import org.jspecify.annotations.Nullable;

/** Who may do what: admin users everything, owners with their buckets, anybody where it is open. */
final class Authorization {
  private Authorization() {}

  /**
   * Lets an operation pass.
   *
   * @throws S3Exception AccessDenied
   */
  static void check(S3Operation operation, @Nullable User user, @Nullable Bucket bucket) {
    boolean allowed =
        switch (operation.access()) {
          case FORM -> true;
          case SIGNED -> user != null;
          case OWNER -> bucket != null && owns(user, bucket);
          case BUCKET_READ -> bucket != null && mayRead(user, bucket);
        };
    if (!allowed) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
  }

  /**
   * Refuses an operation that somebody may have made of another by adding a parameter which the
   * signature does not cover. The second version of a listing says no more than the first.
   *
   * @throws S3Exception AccessDenied
   */
  static void requireSigned(S3Operation operation, Authentication authentication) {
    if (!(authentication instanceof Authentication.Authenticated signed)
        || signed.scheme() != Authentication.Scheme.V2_QUERY
        || operation == S3Operation.LIST_OBJECTS_V2) {
      return;
    }
    String parameter = operation.subresource().replaceFirst("^copy ?", "");
    if (!parameter.isEmpty() && !signed.scheme().signsParameter(parameter)) {
      throw S3Exception.of(
          S3ErrorCode.ACCESS_DENIED,
          "A signature of version 2 does not cover the parameter " + parameter + ".");
    }
  }

  /** Whether this user, or anybody for null, may read the bucket's objects. */
  static boolean mayRead(@Nullable User user, Bucket bucket) {
    return bucket.settings().anonymousRead() || owns(user, bucket);
  }

  private static boolean owns(@Nullable User user, Bucket bucket) {
    return user != null && (user.admin() || user.id().equals(bucket.ownerId()));
  }
}
