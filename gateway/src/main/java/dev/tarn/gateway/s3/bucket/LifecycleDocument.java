package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.LifecycleRule.AfterDays;
import dev.tarn.cluster.control.LifecycleRule.Expiration;
import dev.tarn.cluster.control.LifecycleRule.Filter;
import dev.tarn.cluster.control.LifecycleRule.OfLoneDeleteMarkers;
import dev.tarn.cluster.control.LifecycleRule.OnDate;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.operation.Documents;
import dev.tarn.gateway.s3.operation.Timestamps;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Lifecycle rules as S3's document. Rules with unsupported features are refused. */
final class LifecycleDocument {
  private static final String ROOT = "LifecycleConfiguration";
  private static final String EXPIRATION = "Expiration";
  private static final String DELETE_MARKER = "ExpiredObjectDeleteMarker";
  private static final String NONCURRENT = "NoncurrentVersionExpiration";
  private static final String NONCURRENT_DAYS = "NoncurrentDays";
  private static final String NEWER_VERSIONS = "NewerNoncurrentVersions";
  private static final String ABORT = "AbortIncompleteMultipartUpload";
  private static final String ABORT_DAYS = "DaysAfterInitiation";
  private static final String LARGER = "ObjectSizeGreaterThan";
  private static final String SMALLER = "ObjectSizeLessThan";
  private static final String PREFIX = "Prefix";
  private static final String FILTER = "Filter";
  private static final String AND = "And";
  private static final String TAG = "Tag";
  private static final String DAYS = "Days";
  private static final String DATE = "Date";
  private static final Set<String> WITH_ELEMENTS =
      Set.of("Rule", FILTER, AND, TAG, EXPIRATION, NONCURRENT, ABORT);
  private static final int RULES_MAX = 1000;
  private static final int ID_LENGTH_MAX = 255;
  private static final int NEWER_VERSIONS_MAX = 100;
  private static final Instant YEAR_1 = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant YEAR_10_000 = Instant.parse("+10000-01-01T00:00:00Z");

  private LifecycleDocument() {}

  /**
   * Parses the rules of a document.
   *
   * @throws S3Exception MalformedXML, InvalidArgument, InvalidRequest, NotImplemented
   */
  static List<LifecycleRule> parse(byte[] document) {
    XmlElement root = Documents.parse(document, ROOT);
    requireKnown(root, Set.of(), Set.of("Rule"));
    List<XmlElement> elements = root.children("Rule");
    if (elements.isEmpty() || elements.size() > RULES_MAX) {
      throw Documents.malformed(
          ROOT + " has " + elements.size() + " rules, must have 1 to " + RULES_MAX + ".");
    }
    Set<String> ids = new HashSet<>();
    List<LifecycleRule> rules = new ArrayList<>(elements.size());
    for (XmlElement element : elements) {
      LifecycleRule rule = rule(element);
      if (!ids.add(rule.id())) {
        throw invalid("Rule ID must be unique. Found same ID for more than one rule: " + rule.id());
      }
      rules.add(rule);
    }
    return rules;
  }

  private static LifecycleRule rule(XmlElement element) {
    for (String transition : List.of("Transition", "NoncurrentVersionTransition")) {
      if (element.child(transition).isPresent()) {
        throw S3Exception.of(
            S3ErrorCode.NOT_IMPLEMENTED,
            transition + " is not implemented: there is one storage class.");
      }
    }
    requireKnown(
        element, Set.of("ID", "Status", PREFIX, FILTER, EXPIRATION, NONCURRENT, ABORT), Set.of());
    Filter filter = filter(element);
    Optional<Expiration> expiration = element.child(EXPIRATION).map(LifecycleDocument::expiration);
    Optional<XmlElement> noncurrent = element.child(NONCURRENT);
    noncurrent.ifPresent(
        versions -> requireKnown(versions, Set.of(NONCURRENT_DAYS, NEWER_VERSIONS), Set.of()));
    Optional<XmlElement> abort = element.child(ABORT);
    abort.ifPresent(uploads -> requireKnown(uploads, Set.of(ABORT_DAYS), Set.of()));
    OptionalInt abortDays =
        abort.map(uploads -> required(uploads, ABORT_DAYS)).orElse(OptionalInt.empty());
    if (expiration.isEmpty() && noncurrent.isEmpty() && abortDays.isEmpty()) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST, "At least one action needs to be specified in a rule.");
    }
    if (abortDays.isPresent() && !filter.isByPrefixAlone()) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST, ABORT + " cannot be specified with tags or object sizes.");
    }
    if (expiration.filter(OfLoneDeleteMarkers.class::isInstance).isPresent()
        && !filter.tags().isEmpty()) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST, DELETE_MARKER + " cannot be specified with tags.");
    }
    return new LifecycleRule(
        id(element),
        isEnabled(element),
        filter,
        expiration,
        noncurrent.map(versions -> required(versions, NONCURRENT_DAYS)).orElse(OptionalInt.empty()),
        noncurrent
            .map(versions -> positive(versions, NEWER_VERSIONS, NEWER_VERSIONS_MAX))
            .orElse(OptionalInt.empty()),
        abortDays);
  }

  /**
   * Refuses unknown and repeated elements: such an element may be meant to keep objects.
   *
   * @param once the elements that may occur at most once
   * @param repeated the elements that may occur any number of times
   * @throws S3Exception MalformedXML
   */
  private static void requireKnown(XmlElement element, Set<String> once, Set<String> repeated) {
    Set<String> seen = new HashSet<>();
    for (XmlElement child : element.children()) {
      String name = child.name();
      if (!repeated.contains(name) && !(once.contains(name) && seen.add(name))) {
        throw Documents.malformed(
            element.name()
                + " has "
                + name
                + (seen.contains(name) ? " twice." : ", unknown here."));
      }
      if (!WITH_ELEMENTS.contains(name) && !child.children().isEmpty()) {
        throw Documents.malformed(name + " has elements in it.");
      }
    }
    if (!element.text().isBlank()) {
      throw Documents.malformed(element.name() + " has text of its own.");
    }
  }

  private static String id(XmlElement rule) {
    String id = rule.childText("ID").orElse("");
    if (id.length() > ID_LENGTH_MAX) {
      throw invalid("ID length should not exceed allowed limit of " + ID_LENGTH_MAX);
    }
    return id.isEmpty() ? UUID.randomUUID().toString() : id;
  }

  private static boolean isEnabled(XmlElement rule) {
    String status = rule.childText("Status").orElse("");
    return switch (status) {
      case "Enabled" -> true;
      case "Disabled" -> false;
      default ->
          throw Documents.malformed("Status is '" + status + "', must be Enabled or Disabled.");
    };
  }

  /** Parses the filter; older clients send only a prefix. */
  private static Filter filter(XmlElement rule) {
    Optional<XmlElement> given = rule.child(FILTER);
    if (given.isEmpty()) {
      return new Filter(
          rule.childVerbatim(PREFIX)
              .orElseThrow(() -> Documents.malformed("A Rule has neither Filter nor Prefix.")),
          Map.of(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          true);
    }
    if (rule.child(PREFIX).isPresent()) {
      throw Documents.malformed("A Rule has Filter and Prefix.");
    }
    XmlElement filter = given.orElseThrow();
    requireKnown(filter, Set.of(PREFIX, TAG, LARGER, SMALLER, AND), Set.of());
    if (filter.children().size() > 1) {
      throw Documents.malformed("A Filter has several conditions outside And.");
    }
    Optional<XmlElement> and = filter.child(AND);
    if (and.filter(conditions -> conditions.children().isEmpty()).isPresent()) {
      throw Documents.malformed("And has no conditions.");
    }
    and.ifPresent(
        conditions -> requireKnown(conditions, Set.of(PREFIX, LARGER, SMALLER), Set.of(TAG)));
    XmlElement conditions = and.orElse(filter);
    return new Filter(
        conditions.childVerbatim(PREFIX).orElse(""),
        tags(conditions),
        size(conditions, LARGER),
        size(conditions, SMALLER));
  }

  private static Map<String, String> tags(XmlElement conditions) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (XmlElement tag : conditions.children(TAG)) {
      requireKnown(tag, Set.of("Key", "Value"), Set.of());
      String key =
          tag.childVerbatim("Key").orElseThrow(() -> Documents.malformed("A Tag has no Key."));
      String value =
          tag.childVerbatim("Value").orElseThrow(() -> Documents.malformed("A Tag has no Value."));
      if (tags.put(key, value) != null) {
        throw invalid("Duplicate Tag Keys are not allowed.");
      }
    }
    if (tags.size() > Filter.TAGS_MAX) {
      throw invalid(
          "A Filter has " + tags.size() + " tags, may have at most " + Filter.TAGS_MAX + ".");
    }
    return tags;
  }

  private static OptionalLong size(XmlElement conditions, String name) {
    Optional<String> text = conditions.childText(name);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long bytes = Long.parseLong(text.orElseThrow());
      if (bytes >= 0) {
        return OptionalLong.of(bytes);
      }
    } catch (NumberFormatException e) {
      // Reported below, like a negative number.
    }
    throw invalid("'" + name + "' must be a number of 0 or more");
  }

  private static Expiration expiration(XmlElement element) {
    requireKnown(element, Set.of(DATE, DAYS, DELETE_MARKER), Set.of());
    Optional<String> date = element.childText(DATE);
    Optional<String> days = element.childText(DAYS);
    boolean ofMarkers = element.childText(DELETE_MARKER).filter("true"::equals).isPresent();
    int given = (date.isPresent() ? 1 : 0) + (days.isPresent() ? 1 : 0) + (ofMarkers ? 1 : 0);
    if (given != 1) {
      throw Documents.malformed(
          EXPIRATION + " must have one of Days, Date and " + DELETE_MARKER + " true.");
    }
    if (ofMarkers) {
      return new OfLoneDeleteMarkers();
    }
    return date.isPresent()
        ? new OnDate(midnight(date.orElseThrow()))
        : new AfterDays(required(element, DAYS).orElseThrow());
  }

  private static long midnight(String text) {
    try {
      Instant time =
          text.length() == "2026-01-01".length()
              ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
              : Instant.parse(text);
      if (time.isBefore(YEAR_1) || !time.isBefore(YEAR_10_000)) {
        throw new DateTimeException("the year does not have four digits");
      }
      return new OnDate(time.toEpochMilli()).timeMs();
    } catch (DateTimeException | IllegalArgumentException e) {
      throw invalid("'Date' must be at midnight GMT, in ISO 8601");
    }
  }

  private static OptionalInt required(XmlElement element, String name) {
    OptionalInt number = positive(element, name, Integer.MAX_VALUE);
    if (number.isEmpty()) {
      throw Documents.malformed(element.name() + " has no " + name + ".");
    }
    return number;
  }

  private static OptionalInt positive(XmlElement element, String name, int max) {
    Optional<String> text = element.childText(name);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(text.orElseThrow());
      if (number >= 1 && number <= max) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    throw invalid(
        "'"
            + name
            + "' for "
            + element.name()
            + " action must be a positive integer"
            + (max == Integer.MAX_VALUE ? "" : " of at most " + max));
  }

  private static S3Exception invalid(String message) {
    return S3Exception.of(S3ErrorCode.INVALID_ARGUMENT, message);
  }

  /** Writes the document of these rules. */
  static byte[] write(List<LifecycleRule> rules) {
    XmlWriter xml = XmlWriter.document(ROOT, 512 * rules.size());
    for (LifecycleRule rule : rules) {
      xml.open("Rule").element("ID", rule.id());
      writeFilter(xml, rule.filter());
      xml.element("Status", rule.enabled() ? "Enabled" : "Disabled");
      rule.expiration().ifPresent(expiration -> writeExpiration(xml, expiration));
      if (rule.noncurrentDays().isPresent()) {
        xml.open(NONCURRENT).element(NONCURRENT_DAYS, rule.noncurrentDays().orElseThrow());
        rule.newerNoncurrentVersions().ifPresent(count -> xml.element(NEWER_VERSIONS, count));
        xml.close(NONCURRENT);
      }
      rule.abortUploadsAfterDays()
          .ifPresent(days -> xml.open(ABORT).element(ABORT_DAYS, days).close(ABORT));
      xml.close("Rule");
    }
    return xml.close(ROOT).bytes();
  }

  private static void writeFilter(XmlWriter xml, Filter filter) {
    if (filter.plainPrefix()) {
      xml.element(PREFIX, filter.prefix());
      return;
    }
    int conditions =
        filter.tags().size()
            + (filter.prefix().isEmpty() ? 0 : 1)
            + (filter.largerThanBytes().isPresent() ? 1 : 0)
            + (filter.smallerThanBytes().isPresent() ? 1 : 0);
    xml.open(FILTER);
    if (conditions > 1) {
      xml.open(AND);
    }
    if (conditions == 0 || !filter.prefix().isEmpty()) {
      xml.element(PREFIX, filter.prefix());
    }
    new TreeMap<>(filter.tags())
        .forEach(
            (key, value) -> xml.open(TAG).element("Key", key).element("Value", value).close(TAG));
    filter.largerThanBytes().ifPresent(bytes -> xml.element(LARGER, bytes));
    filter.smallerThanBytes().ifPresent(bytes -> xml.element(SMALLER, bytes));
    if (conditions > 1) {
      xml.close(AND);
    }
    xml.close(FILTER);
  }

  private static void writeExpiration(XmlWriter xml, Expiration expiration) {
    xml.open(EXPIRATION);
    switch (expiration) {
      case AfterDays(int days) -> xml.element(DAYS, days);
      case OnDate(long timeMs) -> xml.element(DATE, Timestamps.iso(timeMs));
      case OfLoneDeleteMarkers _ -> xml.element(DELETE_MARKER, true);
    }
    xml.close(EXPIRATION);
  }
}
