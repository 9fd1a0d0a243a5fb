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
      Pattern.compile("&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));");

  private static final String SECTION = "<![CDATA[";
  private static final String SECTION_END = "]]>";

  private static final int CONTROLS = 0x20;
  private static final int FIRST_NONCHARACTER = 0xFFFE;
  private static final int COUNT = CONTROLS + 2;
  private static final int FIRST_PRIVATE = 0x100000;
  private static final int BLOCKS = 1000;

  private final String document;
  private final int block;

  /** Replaces the references of a document, in as many steps as it has characters. */
  ExcludedCharacters(String document) {
    this.block = FIRST_PRIVATE + freeBlock(document) * COUNT;
    this.document = document.contains("&#") ? replaced(document) : document;
  }

  /** Sections of plain characters have no references. */
  private String replaced(String original) {
    StringBuilder replaced = new StringBuilder(original.length());
    int from = 0;
    while (from < original.length()) {
      int section = indexOf(original, SECTION, from);
      replaced.append(
          REFERENCE.matcher(original.substring(from, section)).replaceAll(this::replacement));
      from = indexOf(original, SECTION_END, section);
      replaced.append(original, section, from);
    }
    return replaced.toString();
  }

  /** The index of a text, or the end of the document. */
  private static int indexOf(String document, String text, int from) {
    int index = document.indexOf(text, from);
    return index < 0 ? document.length() : index;
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
    int character = hex != null ? Integer.parseInt(hex, 16) : Integer.parseInt(found.group(2));
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
