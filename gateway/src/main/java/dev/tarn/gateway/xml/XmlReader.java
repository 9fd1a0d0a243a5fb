package dev.tarn.gateway.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static javax.xml.stream.XMLStreamConstants.CDATA;
import static javax.xml.stream.XMLStreamConstants.CHARACTERS;
import static javax.xml.stream.XMLStreamConstants.DTD;
import static javax.xml.stream.XMLStreamConstants.END_ELEMENT;
import static javax.xml.stream.XMLStreamConstants.ENTITY_REFERENCE;
import static javax.xml.stream.XMLStreamConstants.SPACE;
import static javax.xml.stream.XMLStreamConstants.START_ELEMENT;

import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.MissingResourceException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Parses a request's document in memory; the caller limits its size. Document types and entities
 * are refused, so parsing fetches nothing and expands nothing.
 */
public final class XmlReader {
  /** Documents of S3 are flat: the deepest has six levels, a tag in a lifecycle filter. */
  private static final int DEPTH_MAX = 16;

  /**
   * A completion of 10,000 parts with all checksums has fewer elements. Each element costs an
   * object.
   */
  private static final int ELEMENTS_MAX = 1 << 17;

  private static final byte[] BYTE_ORDER_MARK = "\uFEFF".getBytes(UTF_8);

  private static final XMLInputFactory FACTORY = factory();

  private XmlReader() {}

  /**
   * Parses a document and returns its root.
   *
   * @throws MalformedXmlException if the document is not well-formed UTF-8, has a document type, is
   *     too deep, or has too many elements
   */
  public static XmlElement read(byte[] document) throws MalformedXmlException {
    try {
      ExcludedCharacters excluded = new ExcludedCharacters(text(document));
      XMLStreamReader reader = FACTORY.createXMLStreamReader(Reader.of(excluded.document()));
      try {
        return readRoot(reader, excluded);
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | CharacterCodingException e) {
      throw new MalformedXmlException("The XML you provided was not well-formed.", e);
    }
  }

  /** Decodes UTF-8 here, because the JDK's parser prints decoding errors to standard error. */
  private static String text(byte[] document) throws CharacterCodingException {
    int start =
        Arrays.mismatch(document, BYTE_ORDER_MARK) == BYTE_ORDER_MARK.length
            ? BYTE_ORDER_MARK.length
            : 0;
    return UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(document, start, document.length - start))
        .toString();
  }

  private static int next(XMLStreamReader reader) throws XMLStreamException {
    try {
      return reader.next();
    } catch (MissingResourceException e) {
      // The JDK has no message text for some errors in document types.
      throw new XMLStreamException(e);
    }
  }

  private static XmlElement readRoot(XMLStreamReader reader, ExcludedCharacters excluded)
      throws XMLStreamException, MalformedXmlException {
    Deque<OpenElement> open = new ArrayDeque<>();
    XmlElement root = null;
    int elements = 0;
    while (reader.hasNext()) {
      switch (next(reader)) {
        case START_ELEMENT -> {
          if (open.size() == DEPTH_MAX) {
            throw new MalformedXmlException(
                "The XML you provided is deeper than " + DEPTH_MAX + " elements.");
          }
          if (elements == ELEMENTS_MAX) {
            throw new MalformedXmlException(
                "The XML you provided has more than " + ELEMENTS_MAX + " elements.");
          }
          elements++;
          open.push(new OpenElement(reader.getLocalName()));
        }
        case CHARACTERS, CDATA, SPACE -> {
          OpenElement element = open.peek();
          if (element != null) {
            element.text.append(
                reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
          }
        }
        case END_ELEMENT -> {
          XmlElement element = open.pop().finished(excluded);
          OpenElement parent = open.peek();
          if (parent == null) {
            root = element;
          } else {
            parent.children.add(element);
          }
        }
        case DTD, ENTITY_REFERENCE ->
            throw new MalformedXmlException("The XML you provided has a document type or entity.");
        default -> {}
      }
    }
    if (root == null) {
      throw new MalformedXmlException("The XML you provided has no root element.");
    }
    return root;
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    return factory;
  }

  private static final class OpenElement {
    private final String name;
    private final StringBuilder text = new StringBuilder();
    private final List<XmlElement> children = new ArrayList<>();

    OpenElement(String name) {
      this.name = name;
    }

    XmlElement finished(ExcludedCharacters excluded) {
      return new XmlElement(name, excluded.restored(text.toString()), children);
    }
  }
}
