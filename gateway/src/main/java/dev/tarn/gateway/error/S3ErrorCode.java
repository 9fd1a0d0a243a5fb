package dev.tarn.gateway.error;

import java.util.Optional;

/** The S3 errors: their names, HTTP statuses and texts, as in S3. */
public enum S3ErrorCode {
  ACCESS_CONTROL_LIST_NOT_SUPPORTED(
      "AccessControlListNotSupported", 400, "The bucket does not allow ACLs."),
  ACCESS_DENIED("AccessDenied", 403, "Access Denied"),
  ACCESS_FORBIDDEN("AccessForbidden", 403, "Access Forbidden"),
  AUTHORIZATION_HEADER_MALFORMED(
      "AuthorizationHeaderMalformed",
      400,
      "The authorization header that you provided is not valid."),
  AUTHORIZATION_QUERY_PARAMETERS_ERROR(
      "AuthorizationQueryParametersError",
      400,
      "The authorization query parameters that you provided are not valid."),
  BACKEND_ANSWER(
      "BackendAnswer", 502, "The backend of this bucket gave an answer that is not one of S3."),
  BAD_DIGEST(
      "BadDigest",
      400,
      "The Content-MD5 or checksum value that you specified did not match what the "
          + "server received."),
  BAD_REQUEST("BadRequest", 400, "Bad Request"),
  BUCKET_ALREADY_EXISTS(
      "BucketAlreadyExists",
      409,
      "The requested bucket name is not available. Please select a different name "
          + "and try again."),
  BUCKET_ALREADY_OWNED_BY_YOU(
      "BucketAlreadyOwnedByYou",
      409,
      "The bucket that you tried to create already exists, and you own it."),
  BUCKET_NOT_EMPTY("BucketNotEmpty", 409, "The bucket that you tried to delete is not empty."),
  CONDITIONAL_REQUEST_CONFLICT(
      "ConditionalRequestConflict",
      409,
      "A conflicting conditional operation is currently in progress against this " + "resource."),
  ENTITY_TOO_LARGE(
      "EntityTooLarge", 400, "Your proposed upload exceeds the maximum allowed object size."),
  ENTITY_TOO_SMALL(
      "EntityTooSmall",
      400,
      "Your proposed upload is smaller than the minimum allowed object size."),
  ILLEGAL_LOCATION_CONSTRAINT_EXCEPTION(
      "IllegalLocationConstraintException", 400, "The specified location constraint is not valid."),
  INCOMPLETE_BODY(
      "IncompleteBody",
      400,
      "You did not provide the number of bytes specified by the Content-Length HTTP " + "header."),
  INSUFFICIENT_CAPACITY("InsufficientCapacity", 507, "There is not enough room to store this."),
  INTERNAL_ERROR("InternalError", 500, "We encountered an internal error. Please try again."),
  INVALID_ACCESS_KEY_ID(
      "InvalidAccessKeyId",
      403,
      "The AWS access key ID that you provided does not exist in our records."),
  INVALID_ARGUMENT("InvalidArgument", 400, "Invalid Argument"),
  INVALID_BUCKET_ACL_WITH_OBJECT_OWNERSHIP(
      "InvalidBucketAclWithObjectOwnership",
      400,
      "A bucket with the object ownership BucketOwnerEnforced cannot have a public ACL."),
  INVALID_BUCKET_NAME("InvalidBucketName", 400, "The specified bucket is not valid."),
  INVALID_BUCKET_STATE(
      "InvalidBucketState", 409, "The request is not valid for the current state of the bucket."),
  INVALID_DIGEST("InvalidDigest", 400, "The Content-MD5 that you specified is not valid."),
  INVALID_LOCATION_CONSTRAINT(
      "InvalidLocationConstraint", 400, "The specified location constraint is not valid."),
  INVALID_OBJECT_STATE(
      "InvalidObjectState",
      403,
      "The operation is not valid for the object's storage class or access tier."),
  INVALID_PART(
      "InvalidPart",
      400,
      "One or more of the specified parts could not be found. The part might not "
          + "have been uploaded, or the specified entity tag might not have matched the "
          + "part's entity tag."),
  INVALID_PART_NUMBER("InvalidPartNumber", 416, "The requested partnumber is not satisfiable"),
  INVALID_PART_ORDER(
      "InvalidPartOrder",
      400,
      "The list of parts was not in ascending order. The parts list must be "
          + "specified in order by part number."),
  INVALID_POLICY_DOCUMENT(
      "InvalidPolicyDocument",
      400,
      "The content of the form does not meet the conditions specified in the policy document."),
  INVALID_RANGE("InvalidRange", 416, "The requested range is not satisfiable"),
  INVALID_REQUEST("InvalidRequest", 400, "Invalid Request"),
  INVALID_REDIRECT_LOCATION(
      "InvalidRedirectLocation",
      400,
      "The website redirect location must have a prefix of 'http://' or 'https://' or '/'."),
  INVALID_RETENTION_PERIOD(
      "InvalidRetentionPeriod",
      400,
      "Default retention period must be a positive integer of at most 36500 days or 100 years."),
  INVALID_STORAGE_CLASS(
      "InvalidStorageClass", 400, "The storage class that you specified is not valid."),
  INVALID_TAG("InvalidTag", 400, "The tag provided was not a valid tag."),
  INVALID_URI("InvalidURI", 400, "Couldn't parse the specified URI."),
  KEY_TOO_LONG("KeyTooLongError", 400, "Your key is too long"),
  MALFORMED_ACL_ERROR(
      "MalformedACLError",
      400,
      "The XML that you provided was not well formed or did not validate against our "
          + "published schema."),
  MALFORMED_POLICY("MalformedPolicy", 400, "The policy is not a valid JSON document."),
  MALFORMED_POST_REQUEST(
      "MalformedPOSTRequest",
      400,
      "The body of your POST request is not well-formed multipart/form-data."),
  MALFORMED_TRAILER_ERROR(
      "MalformedTrailerError",
      400,
      "The request contained trailing data that was not well-formed or did not "
          + "conform to our published schema."),
  MALFORMED_XML(
      "MalformedXML",
      400,
      "The XML that you provided was not well formed or did not validate against our "
          + "published schema."),
  MAX_MESSAGE_LENGTH_EXCEEDED("MaxMessageLengthExceeded", 400, "Your request was too large."),
  MAX_POST_PRE_DATA_LENGTH_EXCEEDED_ERROR(
      "MaxPostPreDataLengthExceededError",
      400,
      "Your POST request fields preceding the upload file were too large."),
  METADATA_TOO_LARGE(
      "MetadataTooLarge", 400, "Your metadata headers exceed the maximum allowed metadata size."),
  METHOD_NOT_ALLOWED(
      "MethodNotAllowed", 405, "The specified method is not allowed against this resource."),
  MISSING_CONTENT_LENGTH(
      "MissingContentLength", 411, "You must provide the Content-Length HTTP header."),
  MISSING_REQUEST_BODY_ERROR("MissingRequestBodyError", 400, "Request body is empty."),
  MISSING_SECURITY_HEADER(
      "MissingSecurityHeader", 400, "Your request was missing a required header."),
  NO_SUCH_BUCKET("NoSuchBucket", 404, "The specified bucket does not exist"),
  NO_SUCH_BUCKET_POLICY("NoSuchBucketPolicy", 404, "The bucket policy does not exist"),
  NO_SUCH_CORS_CONFIGURATION(
      "NoSuchCORSConfiguration", 404, "The CORS configuration does not exist"),
  NO_SUCH_KEY("NoSuchKey", 404, "The specified key does not exist."),
  NO_SUCH_LIFECYCLE_CONFIGURATION(
      "NoSuchLifecycleConfiguration", 404, "The lifecycle configuration does not exist"),
  NO_SUCH_OBJECT_LOCK_CONFIGURATION(
      "NoSuchObjectLockConfiguration",
      404,
      "The specified object does not have a ObjectLock configuration"),
  NO_SUCH_PUBLIC_ACCESS_BLOCK_CONFIGURATION(
      "NoSuchPublicAccessBlockConfiguration",
      404,
      "The public access block configuration was not found"),
  NO_SUCH_TAG_SET("NoSuchTagSet", 404, "The TagSet does not exist"),
  NO_SUCH_UPLOAD(
      "NoSuchUpload",
      404,
      "The specified multipart upload does not exist. The upload ID may be invalid, "
          + "or the upload may have been aborted or completed."),
  NO_SUCH_VERSION("NoSuchVersion", 404, "The specified version does not exist."),
  NO_SUCH_WEBSITE_CONFIGURATION(
      "NoSuchWebsiteConfiguration",
      404,
      "The specified bucket does not have a website configuration"),
  NOT_IMPLEMENTED(
      "NotImplemented",
      501,
      "A header or parameter you provided implies functionality that is not " + "implemented."),
  NOT_MODIFIED("NotModified", 304, "Not Modified"),
  OBJECT_LOCK_CONFIGURATION_NOT_FOUND_ERROR(
      "ObjectLockConfigurationNotFoundError",
      404,
      "Object Lock configuration does not exist for this bucket"),
  OPERATION_ABORTED(
      "OperationAborted",
      409,
      "A conflicting conditional operation is currently in progress against this "
          + "resource. Try again."),
  OWNERSHIP_CONTROLS_NOT_FOUND_ERROR(
      "OwnershipControlsNotFoundError", 404, "The bucket ownership controls were not found"),
  PRECONDITION_FAILED(
      "PreconditionFailed",
      412,
      "At least one of the preconditions that you specified did not hold"),
  REPLICATION_CONFIGURATION_NOT_FOUND_ERROR(
      "ReplicationConfigurationNotFoundError", 404, "The replication configuration was not found"),
  REQUEST_HEADER_SECTION_TOO_LARGE(
      "RequestHeaderSectionTooLarge",
      400,
      "Your request header section exceeds the maximum allowed size."),
  REQUEST_TIMEOUT(
      "RequestTimeout",
      400,
      "Your socket connection to the server was not read from or written to within "
          + "the timeout period."),
  REQUEST_TIME_TOO_SKEWED(
      "RequestTimeTooSkewed",
      403,
      "The difference between the request time and the server's time is too large."),
  SERVER_SIDE_ENCRYPTION_CONFIGURATION_NOT_FOUND_ERROR(
      "ServerSideEncryptionConfigurationNotFoundError",
      404,
      "The server side encryption configuration was not found"),
  SERVICE_UNAVAILABLE("ServiceUnavailable", 503, "Service is unable to handle request."),
  SIGNATURE_DOES_NOT_MATCH(
      "SignatureDoesNotMatch",
      403,
      "The request signature we calculated does not match the signature you "
          + "provided. Check your key and signing method."),
  SLOW_DOWN("SlowDown", 503, "Please reduce your request rate."),
  TOO_MANY_BUCKETS(
      "TooManyBuckets", 400, "You have attempted to create more buckets than allowed."),
  UNEXPECTED_CONTENT("UnexpectedContent", 400, "This request does not support content."),
  X_AMZ_CONTENT_SHA256_MISMATCH(
      "XAmzContentSHA256Mismatch",
      400,
      "The provided 'x-amz-content-sha256' header does not match what was computed.");

  private final String code;
  private final int httpStatus;
  private final String message;

  S3ErrorCode(String code, int httpStatus, String message) {
    this.code = code;
    this.httpStatus = httpStatus;
    this.message = message;
  }

  /** The name in the error document. */
  public String code() {
    return code;
  }

  /** The HTTP status of the answer. */
  public int httpStatus() {
    return httpStatus;
  }

  /** The default message of the error document. */
  public String message() {
    return message;
  }

  /** The first error of this name; empty if Tarn does not have it. */
  public static Optional<S3ErrorCode> find(String code) {
    for (S3ErrorCode known : values()) {
      if (known.code.equals(code)) {
        return Optional.of(known);
      }
    }
    return Optional.empty();
  }
}
