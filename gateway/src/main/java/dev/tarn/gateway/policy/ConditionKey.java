package dev.tarn.gateway.policy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.request.CopySourceHeader;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.QueryParameters;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects the values that the texts of a condition are compared with.
 *
 * @param kind of the key
 * @param tag the name of a tag; empty for kinds that are not of a tag
 */
record ConditionKey(Kind kind, String tag) {
  private static final Map<String, String> NONE = Map.of();

  ConditionKey {
    requireNonNull(kind, "kind is null");
    requireNonNull(tag, "tag is null");
  }

  /** The kinds of keys, with their names in policies. */
  enum Kind {
    SECURE_TRANSPORT("aws:SecureTransport"),
    REFERER("aws:Referer"),
    PREFIX("s3:prefix"),
    ACL("s3:x-amz-acl"),
    GRANT_READ("s3:x-amz-grant-read"),
    GRANT_WRITE("s3:x-amz-grant-write"),
    GRANT_READ_ACP("s3:x-amz-grant-read-acp"),
    GRANT_WRITE_ACP("s3:x-amz-grant-write-acp"),
    GRANT_FULL_CONTROL("s3:x-amz-grant-full-control"),
    COPY_SOURCE("s3:x-amz-copy-source"),
    METADATA_DIRECTIVE("s3:x-amz-metadata-directive"),
    REQUEST_TAG("s3:RequestObjectTag/"),
    EXISTING_TAG("s3:ExistingObjectTag/");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The name of the header with the value, for keys that are named after one. */
    private String header() {
      return text.substring(text.indexOf(':') + 1);
    }

    private boolean isOfAcl() {
      return switch (this) {
        case ACL, GRANT_READ, GRANT_WRITE, GRANT_READ_ACP, GRANT_WRITE_ACP, GRANT_FULL_CONTROL ->
            true;
        default -> false;
      };
    }

    /** Whether the name of a tag follows. */
    private boolean isOfTag() {
      return text.endsWith("/");
    }
  }

  /** Finds the key of this name; case matters in the names of tags alone. */
  static Optional<ConditionKey> of(String name) {
    return Arrays.stream(Kind.values())
        .filter(kind ->
            kind.isOfTag()
                ? name.length() > kind.text.length()
                    && name.regionMatches(true, 0, kind.text, 0, kind.text.length())
                : kind.text.equalsIgnoreCase(name))
        .findFirst()
        .map(kind -> new ConditionKey(kind, name.substring(kind.text.length())));
  }

  /** A text of a condition in the form of the values: a copy source has no leading slash. */
  String comparable(String text) {
    return kind == Kind.COPY_SOURCE && text.startsWith("/") ? text.substring(1) : text;
  }

  /** Whether requests for this action can have the key. */
  boolean appliesTo(Action action) {
    return switch (kind) {
      case SECURE_TRANSPORT, REFERER -> true;
      case PREFIX -> action.isListing();
      case ACL, GRANT_READ, GRANT_WRITE, GRANT_READ_ACP, GRANT_WRITE_ACP, GRANT_FULL_CONTROL ->
          action == Action.PUT_OBJECT
              || action == Action.PUT_OBJECT_ACL
              || action == Action.PUT_OBJECT_VERSION_ACL
              || action == Action.PUT_BUCKET_ACL;
      case COPY_SOURCE, METADATA_DIRECTIVE -> action == Action.PUT_OBJECT;
      case REQUEST_TAG -> action == Action.PUT_OBJECT || setsTags(action);
      case EXISTING_TAG -> action.isOfExistingObject();
    };
  }

  /** Whether the value is that of an object at which nobody has looked yet. */
  boolean awaitsObject(Question question) {
    return kind == Kind.EXISTING_TAG
        && question.existingTags() == null
        && appliesTo(question.action());
  }

  /**
   * Whether the value is known when the question is asked. Tags in a document are not; a request
   * with such a document is judged without its headers.
   */
  boolean isKnown(Question question) {
    return kind != Kind.REQUEST_TAG
        || !setsTags(question.action())
        || tags(question.caller()) != null;
  }

  /**
   * Whether requests like this one can name a value. Parts and the completion of an upload cannot
   * name tags or an ACL: the request that created the upload did, and was judged by them.
   */
  boolean concerns(Question question) {
    return (!kind.isOfAcl() && kind != Kind.REQUEST_TAG)
        || question.action() != Action.PUT_OBJECT
        || !question.caller().ofUpload();
  }

  /** The value; null if the request has none. */
  @Nullable String value(Question question) {
    if (!appliesTo(question.action())) {
      return null;
    }
    Caller caller = question.caller();
    Headers headers = caller.headers();
    return switch (kind) {
      case SECURE_TRANSPORT -> Boolean.toString(caller.secure());
      case REFERER -> caller.referer();
      case PREFIX -> question.prefix();
      case ACL, GRANT_READ, GRANT_WRITE, GRANT_READ_ACP, GRANT_WRITE_ACP, GRANT_FULL_CONTROL ->
          headers.first(kind.header());
      case COPY_SOURCE ->
          Optional.ofNullable(ofCopy(caller, CopySourceHeader.NAME))
              .map(CopySourceHeader::parse)
              .map(CopySourceHeader::path)
              .orElse(null);
      case METADATA_DIRECTIVE -> ofCopy(caller, "x-amz-metadata-directive");
      case REQUEST_TAG -> requestTag(caller);
      case EXISTING_TAG -> Objects.requireNonNullElse(question.existingTags(), NONE).get(tag);
    };
  }

  /** A header that requests for copies alone have. */
  private static @Nullable String ofCopy(Caller caller, String header) {
    return caller.copies() ? caller.headers().first(header) : null;
  }

  private @Nullable String requestTag(Caller caller) {
    String given = tags(caller);
    return given == null
        ? null
        : QueryParameters.parse(new String(given.getBytes(UTF_8), ISO_8859_1))
            .find(tag)
            .orElse(null);
  }

  /** The header with tags. A copy that keeps the tags of its source ignores it. */
  private static @Nullable String tags(Caller caller) {
    boolean keepsTags =
        caller.copies() && !"REPLACE".equals(caller.headers().first("x-amz-tagging-directive"));
    return keepsTags ? null : caller.headers().first("x-amz-tagging");
  }

  private static boolean setsTags(Action action) {
    return action == Action.PUT_OBJECT_TAGGING || action == Action.PUT_OBJECT_VERSION_TAGGING;
  }
}
