package dev.tarn.gateway.s3;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.CopySourceHeader;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.s3.operation.S3Operation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the operation of a request. */
final class OperationResolver {
  /** Stands for the header that names a copy source. */
  private static final String COPY = "copy";

  /** Parameters that select operations of S3 which Tarn does not have. */
  private static final Set<String> REFUSED_SUBRESOURCES =
      Set.of(
          "analytics",
          "intelligent-tiering",
          "inventory",
          "metadataConfiguration",
          "metadataTable",
          "metrics",
          "renameObject",
          "restore",
          "select",
          "session",
          "torrent");

  /** Parameters that select another operation, in S3 or in Tarn. */
  private static final Set<String> SUBRESOURCES = subresources();

  /** Parameters that an operation reads, or that belong to a signature. */
  private static final Set<String> MODIFIERS =
      Set.of(
          "AWSAccessKeyId",
          "Expires",
          "Signature",
          "bucket-region",
          "content-md5",
          "content-type",
          "continuation-token",
          "delimiter",
          "encoding-type",
          "fetch-owner",
          "key-marker",
          "marker",
          "max-buckets",
          "max-keys",
          "max-parts",
          "max-uploads",
          "part-number-marker",
          "partNumber",
          "prefix",
          "start-after",
          "upload-id-marker",
          "version-id-marker",
          "versionId");

  private static final Map<Selector, S3Operation> OPERATIONS = operations();

  /** The properties that distinguish the operations. */
  private record Selector(String method, S3Operation.Level level, String subresource) {}

  private OperationResolver() {}

  /**
   * Finds the operation.
   *
   * @throws S3Exception NotImplemented for an unsupported subresource or parameter, InvalidRequest
   *     for two subresources, InvalidArgument for a deletion with a source of a copy,
   *     MethodNotAllowed
   */
  static S3Operation resolve(RequestHead head, RequestTarget target) {
    // A preflight has the query of the request that will follow.
    String subresource = head.method().equals("OPTIONS") ? "" : subresource(head);
    if (head.method().equals("PUT") && head.headers().contains(CopySourceHeader.NAME)) {
      subresource = (COPY + " " + subresource).strip();
    }
    S3Operation.Level level = levelOf(target);
    S3Operation operation = OPERATIONS.get(new Selector(head.method(), level, subresource));
    if (operation == null) {
      throw refusal(head, level, subresource);
    }
    if (operation == S3Operation.DELETE_OBJECT && head.headers().contains(CopySourceHeader.NAME)) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_ARGUMENT,
          "You can only specify a copy source header for copy requests.");
    }
    return operation;
  }

  private static String subresource(RequestHead head) {
    String found = null;
    for (Parameter parameter : head.query().list()) {
      String name = parameter.name();
      if (isExtension(name)) {
        continue;
      }
      if (SUBRESOURCES.contains(name) && !isFirstListing(parameter)) {
        if (found != null && !found.equals(name)) {
          throw S3Exception.of(
              S3ErrorCode.INVALID_REQUEST,
              "The query names two subresources, " + found + " and " + name + "; one is allowed.");
        }
        found = name;
      } else if (!isFirstListing(parameter) && !isIgnorable(head, parameter)) {
        throw notImplemented(name);
      }
    }
    return found == null ? "" : found;
  }

  /** Whether a parameter asks for the listing that is plain GET of a bucket. */
  private static boolean isFirstListing(Parameter parameter) {
    return parameter.name().equals("list-type") && parameter.value().equals("1");
  }

  /** Whether a parameter belongs to a signature or is a header that was moved into the query. */
  private static boolean isExtension(String name) {
    return name.length() >= 2
        && (name.charAt(0) == 'x' || name.charAt(0) == 'X')
        && name.charAt(1) == '-';
  }

  /**
   * Whether a parameter may be ignored. Reads may have a client's own parameters if these cannot be
   * subresources: a subresource has no value.
   */
  private static boolean isIgnorable(RequestHead head, Parameter parameter) {
    String name = parameter.name();
    if (MODIFIERS.contains(name) || name.startsWith("response-")) {
      return true;
    }
    boolean read = head.method().equals("GET") || head.method().equals("HEAD");
    return read && !parameter.value().isEmpty();
  }

  private static S3Operation.Level levelOf(RequestTarget target) {
    return switch (target) {
      case RequestTarget.Service ignored -> S3Operation.Level.SERVICE;
      case RequestTarget.OfBucket ignored -> S3Operation.Level.BUCKET;
      case RequestTarget.OfObject ignored -> S3Operation.Level.OBJECT;
    };
  }

  private static S3Exception refusal(
      RequestHead head, S3Operation.Level level, String subresource) {
    if (!subresource.isEmpty() || head.method().equals("POST")) {
      return notImplemented(subresource.isEmpty() ? "POST without subresource" : subresource);
    }
    return S3Exception.of(
            S3ErrorCode.METHOD_NOT_ALLOWED,
            "The method " + head.method() + " is not allowed on a " + level + ".")
        .with("Method", head.method())
        .with("ResourceType", level.name());
  }

  private static S3Exception notImplemented(String what) {
    return S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED,
            "A header or query you provided requests functionality that is not implemented: "
                + what
                + ".")
        .with("Header", what);
  }

  private static Set<String> subresources() {
    Stream<String> answered =
        Arrays.stream(S3Operation.values())
            .map(S3Operation::subresource)
            .flatMap(names -> Arrays.stream(names.split(" ", -1)))
            .filter(name -> !name.isEmpty() && !name.equals(COPY));
    return Stream.concat(answered, REFUSED_SUBRESOURCES.stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Map<Selector, S3Operation> operations() {
    Map<Selector, S3Operation> bySelector = HashMap.newHashMap(S3Operation.values().length);
    for (S3Operation operation : S3Operation.values()) {
      S3Operation other =
          bySelector.put(
              new Selector(operation.method(), operation.level(), operation.subresource()),
              operation);
      if (other != null) {
        throw new IllegalStateException(other + " and " + operation + " are told apart by nothing");
      }
    }
    return Map.copyOf(bySelector);
  }
}
