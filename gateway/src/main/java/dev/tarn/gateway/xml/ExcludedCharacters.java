package dev.tarn.gateway.xml;

import java.util.BitSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * References in a document to characters that XML excludes, such as the control character 0x17.
 * Keys may have these characters, and listings show them in this form, so clients send them in this
 * form too. A parser would refuse them: they are replaced before parsing by private characters that
 * the document does not have, and put back afterwards.
 */
final class ExcludedCharacters {
  private static final Pattern REFERENCE =
      Pattern.compile(
          "<!\\[CDATA\\[.*?]]>|&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));", Pattern.DOTALL);

  private static final int CONTROLS = 0x20;
  private static final int FIRST_NONCHARACTER = 0xFFFE;
  private static final int COUNT = CONTROLS + 2;
  private static final int FIRST_PRIVATE = 0x100000;
  private static final int BLOCKS = 1000;

  private final String document;
  private final int block;

  /** Replaces the references of a document. */
  ExcludedCharacters(String document) {
    this.block = FIRST_PRIVATE + freeBlock(document) * COUNT;
    Matcher references = REFERENCE.matcher(document);
    this.document = references.replaceAll(this::replacement);
  }

  /** The number of a block of private characters that the document does not have. */
  private static int freeBlock(String document) {
    BitSet used = new BitSet();
    document
        .codePoints()
        .filter(character -> character >= FIRST_PRIVATE)
        .forEach(character -> used.set((character - FIRST_PRIVATE) / COUNT));
    return Math.min(used.nextClearBit(0), BLOCKS);
  }

  private String replacement(MatchResult found) {
    String hex = found.group(1);
    String decimal = found.group(2);
    if (hex == null && decimal == null) {
      return Matcher.quoteReplacement(found.group());
    }
    int character = hex != null ? Integer.parseInt(hex, 16) : Integer.parseInt(decimal);
    int index = indexOf(character);
    return index < 0 ? Matcher.quoteReplacement(found.group()) : Character.toString(block + index);
  }

  private static int indexOf(int character) {
    if (character < CONTROLS) {
      return character == '\t' || character == '\n' || character == '\r' ? -1 : character;
    }
    return character == FIRST_NONCHARACTER || character == FIRST_NONCHARACTER + 1
        ? CONTROLS + character - FIRST_NONCHARACTER
        : -1;
  }

  /** The document for the parser. */
  String document() {
    return document;
  }

  /** A text of the parsed document, with the characters that were referred to. */
  String restored(String text) {
    if (text.codePoints().noneMatch(this::isReplacement)) {
      return text;
    }
    StringBuilder restored = new StringBuilder(text.length());
    text.codePoints()
        .forEach(character ->
            restored.appendCodePoint(isReplacement(character) ? excluded(character) : character));
    return restored.toString();
  }

  private boolean isReplacement(int character) {
    return character >= block && character < block + COUNT;
  }

  private int excluded(int replacement) {
    int index = replacement - block;
    return index < CONTROLS ? index : FIRST_NONCHARACTER + index - CONTROLS;
  }
}
