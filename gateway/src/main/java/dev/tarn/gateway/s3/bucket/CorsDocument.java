package dev.tarn.gateway.s3.bucket;

import dev.tarn.cluster.control.CorsRule;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** The CORSConfiguration document. */
public final class CorsDocument {
  /** The root element. */
  public static final String ROOT = "CORSConfiguration";

  /** The methods that rules may allow. */
  public static final Set<String> METHODS = Set.of("GET", "PUT", "HEAD", "POST", "DELETE");

  private static final int RULES_MAX = 100;
  private static final int ID_LENGTH_MAX = 255;
  private static final Set<String> ELEMENTS =
      Set.of(
          "ID", "AllowedHeader", "AllowedMethod", "AllowedOrigin", "ExposeHeader", "MaxAgeSeconds");

  private CorsDocument() {}

  /**
   * Parses the rules of a document.
   *
   * @throws S3Exception MalformedXML, InvalidRequest
   */
  public static List<CorsRule> read(XmlElement root) {
    List<XmlElement> rules = root.children("CORSRule");
    if (rules.isEmpty() || rules.size() > RULES_MAX || rules.size() < root.children().size()) {
      throw malformed(ROOT + " must have 1 to " + RULES_MAX + " CORSRule and nothing else");
    }
    return rules.stream().map(CorsDocument::rule).toList();
  }

  private static CorsRule rule(XmlElement rule) {
    for (XmlElement child : rule.children()) {
      if (!ELEMENTS.contains(child.name())) {
        throw malformed("a CORSRule has no " + child.name());
      }
    }
    List<String> origins = texts(rule, "AllowedOrigin");
    List<String> methods = texts(rule, "AllowedMethod");
    if (origins.isEmpty() || methods.isEmpty()) {
      throw malformed("a CORSRule needs an AllowedOrigin and an AllowedMethod");
    }
    for (String method : methods) {
      if (!METHODS.contains(method)) {
        throw invalid(
            "Found unsupported HTTP method in CORS config. Unsupported method is " + method);
      }
    }
    List<String> headers = texts(rule, "AllowedHeader");
    requireOneWildcard("AllowedOrigin", origins);
    requireOneWildcard("AllowedHeader", headers);
    List<String> exposed = texts(rule, "ExposeHeader");
    for (String name : exposed) {
      if (name.indexOf('*') >= 0) {
        throw invalid(
            "ExposeHeader \""
                + name
                + "\" contains wildcard. We currently do not support wildcard for ExposeHeader.");
      }
    }
    String id = rule.childText("ID").orElse("");
    if (id.length() > ID_LENGTH_MAX) {
      throw malformed("the ID of a CORSRule has more than " + ID_LENGTH_MAX + " characters");
    }
    return new CorsRule(id, origins, methods, headers, exposed, maxAgeSeconds(rule));
  }

  private static List<String> texts(XmlElement rule, String name) {
    List<String> texts = new ArrayList<>(1);
    for (XmlElement element : rule.children(name)) {
      String text = element.text().strip();
      // These texts are returned in headers.
      if (text.isEmpty()
          || text.chars().anyMatch(character -> character < '!' || character > '~')) {
        throw malformed(name + " must be of printable ASCII characters without a space");
      }
      texts.add(text);
    }
    return texts;
  }

  private static void requireOneWildcard(String name, List<String> patterns) {
    for (String pattern : patterns) {
      if (pattern.indexOf('*') != pattern.lastIndexOf('*')) {
        throw invalid(name + " \"" + pattern + "\" can not have more than one wildcard.");
      }
    }
  }

  private static OptionalInt maxAgeSeconds(XmlElement rule) {
    String text = rule.childText("MaxAgeSeconds").orElse("");
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      int seconds = Integer.parseInt(text);
      if (seconds >= 0) {
        return OptionalInt.of(seconds);
      }
    } catch (NumberFormatException e) {
      // Reported below, like a negative number.
    }
    throw malformed("MaxAgeSeconds must be a whole number of 0 or more");
  }

  /** Writes the document of these rules. */
  public static byte[] write(List<CorsRule> rules) {
    XmlWriter xml = XmlWriter.document(ROOT, 256 + 512 * rules.size());
    for (CorsRule rule : rules) {
      xml.open("CORSRule");
      if (!rule.id().isEmpty()) {
        xml.element("ID", rule.id());
      }
      rule.allowedMethods().forEach(method -> xml.element("AllowedMethod", method));
      rule.allowedOrigins().forEach(origin -> xml.element("AllowedOrigin", origin));
      rule.allowedHeaders().forEach(header -> xml.element("AllowedHeader", header));
      rule.exposeHeaders().forEach(header -> xml.element("ExposeHeader", header));
      rule.maxAgeSeconds().ifPresent(seconds -> xml.element("MaxAgeSeconds", seconds));
      xml.close("CORSRule");
    }
    return xml.close(ROOT).bytes();
  }

  private static S3Exception malformed(String why) {
    return S3Exception.of(
        S3ErrorCode.MALFORMED_XML, S3ErrorCode.MALFORMED_XML.message() + " " + why);
  }

  private static S3Exception invalid(String message) {
    return S3Exception.of(S3ErrorCode.INVALID_REQUEST, message);
  }
}
