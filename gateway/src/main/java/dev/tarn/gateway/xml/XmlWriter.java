package dev.tarn.gateway.xml;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * Writes an S3 document. Keys may contain characters that XML does not allow. Such characters
 * become numeric references, as in S3.
 */
public final class XmlWriter {
  private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  private static final String NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

  private final StringBuilder text;

  private XmlWriter(int lengthHint) {
    text = new StringBuilder(lengthHint).append(DECLARATION);
  }

  /** Starts a document with a root in S3's namespace; the caller closes the root. */
  public static XmlWriter document(String root, int lengthHint) {
    XmlWriter writer = new XmlWriter(lengthHint);
    writer.text.append('<').append(root).append(" xmlns=\"").append(NAMESPACE).append("\">");
    return writer;
  }

  /** Starts a document without a namespace, for errors; the caller closes the root. */
  public static XmlWriter plainDocument(String root) {
    return new XmlWriter(512).open(root);
  }

  /** Begins an element. */
  public XmlWriter open(String name) {
    text.append('<').append(name).append('>');
    return this;
  }

  /**
   * Begins an element with a type attribute of the XML schema instance namespace; grantees have
   * one.
   */
  public XmlWriter openTyped(String name, String type) {
    text.append('<')
        .append(name)
        .append(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"")
        .append(type)
        .append("\">");
    return this;
  }

  /** Ends an element. */
  public XmlWriter close(String name) {
    text.append("</").append(name).append('>');
    return this;
  }

  /** Adds an element with text. */
  public XmlWriter element(String name, String value) {
    open(name);
    escape(value);
    return close(name);
  }

  /** Adds an element with text; does nothing for null. */
  public XmlWriter optional(String name, @Nullable String value) {
    return value == null ? this : element(name, value);
  }

  /** Adds an element with a number. */
  public XmlWriter element(String name, long value) {
    open(name);
    text.append(value);
    return close(name);
  }

  /** Adds an element with a truth value. */
  public XmlWriter element(String name, boolean value) {
    open(name);
    text.append(value);
    return close(name);
  }

  /** Adds an element with an ETag, in quotes as in S3. */
  public XmlWriter etag(String etag) {
    open("ETag").text.append("&quot;");
    escape(etag);
    text.append("&quot;");
    return close("ETag");
  }

  /** Adds text to the open element. */
  public XmlWriter text(String value) {
    escape(value);
    return this;
  }

  /** The document so far. */
  public byte[] bytes() {
    return text.toString().getBytes(UTF_8);
  }

  private void escape(String value) {
    int length = value.length();
    int written = 0;
    for (int index = 0; index < length; index++) {
      char character = value.charAt(index);
      if (isPlain(character)) {
        continue;
      }
      text.append(value, written, index);
      written = index + 1;
      switch (character) {
        case '&' -> text.append("&amp;");
        case '<' -> text.append("&lt;");
        case '>' -> text.append("&gt;");
        case '"' -> text.append("&quot;");
        default -> text.append("&#x").append(Integer.toHexString(character)).append(';');
      }
    }
    text.append(value, written, length);
  }

  private static boolean isPlain(char character) {
    return character >= ' '
        && character != '&'
        && character != '<'
        && character != '>'
        && character != '"'
        && character != 0x7f
        && character < 0xfffe;
  }
}
