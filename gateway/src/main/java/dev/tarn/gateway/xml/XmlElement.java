package dev.tarn.gateway.xml;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * An element of a request's document. Namespaces are ignored, because some clients send none.
 *
 * @param name without prefix
 * @param text its own characters
 * @param children in their order
 */
public record XmlElement(String name, String text, List<XmlElement> children) {
  public XmlElement {
    requireNonNull(name, "name is null");
    requireNonNull(text, "text is null");
    children = List.copyOf(requireNonNull(children, "children is null"));
  }

  /** The text of the first child of this name, without surrounding white space. */
  public Optional<String> childText(String childName) {
    return child(childName).map(child -> child.text.strip());
  }

  /** The unchanged text of the first child of this name; for keys. */
  public Optional<String> childVerbatim(String childName) {
    return child(childName).map(XmlElement::text);
  }

  /** The first child of this name. */
  public Optional<XmlElement> child(String childName) {
    for (XmlElement child : children) {
      if (child.name.equals(childName)) {
        return Optional.of(child);
      }
    }
    return Optional.empty();
  }

  /** All children of this name. */
  public List<XmlElement> children(String childName) {
    return children.stream().filter(child -> child.name.equals(childName)).toList();
  }
}
