package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a valid policy means, told once more in the plainest way from what another reader of JSON
 * makes of it.
 */
final class PlainPolicy {
  private static final Pattern OF_AN_EXISTING_OBJECT =
      Pattern.compile(
          "s3:(GetObject|GetObjectVersion|GetObject(Version)?Attributes"
              + "|(Get|Put|Delete)Object(Version)?Tagging|(Get|Put)Object(Version)?Acl)");

  private final List<JsonObject> statements;

  PlainPolicy(String json) {
    statements =
        items(new JsonObject(json).getValue("Statement")).stream()
            .map(JsonObject.class::cast)
            .toList();
  }

  Policy.Verdict judge(Question question) {
    boolean allowed = false;
    for (JsonObject statement : statements) {
      boolean deny = statement.getString("Effect").equals("Deny");
      if (applies(statement, deny, question)) {
        if (deny) {
          return Policy.Verdict.DENIED;
        }
        allowed = true;
      }
    }
    return allowed ? Policy.Verdict.ALLOWED : Policy.Verdict.SILENT;
  }

  boolean isPublic() {
    return statements.stream()
        .anyMatch(statement ->
            statement.getString("Effect").equals("Allow")
                && principals(statement).contains("*") == statement.containsKey("Principal")
                && letsWideRangesIn(statement));
  }

  private static boolean letsWideRangesIn(JsonObject statement) {
    JsonObject conditions = statement.getJsonObject("Condition", new JsonObject());
    for (var ranges : conditions.getJsonObject("IpAddress", new JsonObject())) {
      if (texts(ranges.getValue()).stream().noneMatch(PlainPolicy::isWide)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWide(String range) {
    int slash = range.indexOf('/');
    return slash >= 0
        && Integer.parseInt(range.substring(slash + 1)) < (range.contains(":") ? 32 : 8);
  }

  Set<String> users() {
    Set<String> users = new HashSet<>();
    statements.forEach(statement -> users.addAll(principals(statement)));
    users.remove("*");
    return users;
  }

  private static boolean applies(JsonObject statement, boolean deny, Question question) {
    Set<String> principals = principals(statement);
    boolean named =
        principals.contains("*")
            || (question.caller().user() != null
                && (principals.contains(question.caller().user().id())
                    || principals.contains(question.caller().user().name())));
    boolean acts =
        texts(statement.getValue("Action", statement.getValue("NotAction"))).stream()
            .anyMatch(action -> fits(lower(action), lower(question.action().policyName())));
    return named == statement.containsKey("Principal")
        && acts == statement.containsKey("Action")
        && texts(statement.getValue("Resource")).stream()
            .anyMatch(resource -> fits(resource, "arn:aws:s3:::" + question.resource()))
        && conditionsHold(statement, deny, question);
  }

  private static Set<String> principals(JsonObject statement) {
    Set<String> principals = new HashSet<>();
    Object value = statement.getValue("Principal", statement.getValue("NotPrincipal"));
    for (String text : texts(value instanceof JsonObject fields ? fields.getValue("AWS") : value)) {
      principals.add(text.startsWith("arn:") ? text.substring(text.lastIndexOf('/') + 1) : text);
    }
    return principals;
  }

  private static boolean conditionsHold(JsonObject statement, boolean deny, Question question) {
    for (var operator : statement.getJsonObject("Condition", new JsonObject())) {
      for (var key : (JsonObject) operator.getValue()) {
        if (!holds(operator.getKey(), key.getKey(), texts(key.getValue()), deny, question)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean holds(
      String operator, String key, List<String> values, boolean deny, Question question) {
    if (operator.endsWith("IpAddress")) {
      String address = question.caller().address().get();
      return address.isEmpty()
          ? deny
          : values.stream().anyMatch(range -> isWithin(range, address))
              == operator.equals("IpAddress");
    }
    String value = value(key, question);
    if (value == null
        && lower(key).startsWith("s3:requestobjecttag/")
        && question.action().policyName().startsWith("s3:PutObject")
        && question.action().policyName().endsWith("Tagging")
        && question.caller().headers().first("x-amz-tagging") == null) {
      return deny;
    }
    return switch (operator) {
      case "Null" -> values.equals(List.of("true")) == (value == null);
      case "StringEquals" -> value != null && values.contains(value);
      case "StringNotEquals", "StringNotEqualsIfExists" -> !values.contains(value);
      case "StringNotLike", "StringNotLikeIfExists" ->
          value == null || values.stream().noneMatch(each -> fits(each, value));
      case "Bool", "BoolIfExists" -> values.contains(value);
      case "StringEqualsIfExists" -> value == null || values.contains(value);
      case "StringLike" -> value != null && values.stream().anyMatch(each -> fits(each, value));
      default -> value == null || values.stream().anyMatch(each -> fits(each, value));
    };
  }

  /** The questions here name a tag {@code k} at most, and are no copies. */
  private static @Nullable String value(String key, Question question) {
    String action = question.action().policyName();
    boolean puts = action.equals("s3:PutObject");
    boolean tags = action.startsWith("s3:PutObject") && action.endsWith("Tagging");
    boolean acls = action.startsWith("s3:Put") && action.endsWith("Acl");
    String tagging = question.caller().headers().first("x-amz-tagging");
    if (lower(key).startsWith("s3:existingobjecttag/")) {
      return OF_AN_EXISTING_OBJECT.matcher(action).matches()
          ? requireNonNull(question.existingTags()).get(key.substring(key.indexOf('/') + 1))
          : null;
    }
    return switch (lower(key)) {
      case "aws:securetransport" -> Boolean.toString(question.caller().secure());
      case "aws:referer" -> question.caller().referer();
      case "s3:prefix" -> question.prefix();
      case "s3:x-amz-acl" -> puts || acls ? question.caller().headers().first("x-amz-acl") : null;
      case "s3:x-amz-grant-read",
          "s3:x-amz-grant-write",
          "s3:x-amz-grant-read-acp",
          "s3:x-amz-grant-write-acp",
          "s3:x-amz-grant-full-control" ->
          puts || acls ? question.caller().headers().first(lower(key).substring(3)) : null;
      case "s3:x-amz-copy-source", "s3:x-amz-metadata-directive" -> null;
      default ->
          (puts || tags) && tagging != null && key.endsWith("/k")
              ? tagging.substring("k=".length())
              : null;
    };
  }

  private static boolean isWithin(String range, String address) {
    int slash = range.indexOf('/');
    byte[] from = literal(slash < 0 ? range : range.substring(0, slash));
    byte[] to = literal(address.replaceFirst("%.*", ""));
    int bits = slash < 0 ? 8 * from.length : Integer.parseInt(range.substring(slash + 1));
    return from.length == to.length
        && new BigInteger(1, from)
            .xor(new BigInteger(1, to))
            .shiftRight(8 * from.length - bits)
            .equals(BigInteger.ZERO);
  }

  private static byte[] literal(String address) {
    try {
      return InetAddress.getByName(address).getAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError("was taken for an address: " + address, e);
    }
  }

  /** By each character of the pattern in turn, which places in the text are reached. */
  private static boolean fits(String pattern, String text) {
    int[] characters = text.codePoints().toArray();
    boolean[] reached = new boolean[characters.length + 1];
    reached[0] = true;
    for (int wanted : pattern.codePoints().toArray()) {
      if (wanted == '*') {
        for (int i = 1; i < reached.length; i++) {
          reached[i] |= reached[i - 1];
        }
      } else {
        for (int i = characters.length; i > 0; i--) {
          reached[i] = reached[i - 1] && (wanted == '?' || wanted == characters[i - 1]);
        }
        reached[0] = false;
      }
    }
    return reached[characters.length];
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static List<String> texts(Object value) {
    return items(value).stream().map(String.class::cast).toList();
  }

  private static List<Object> items(Object value) {
    return value instanceof JsonArray array ? array.stream().toList() : List.of(value);
  }
}
