package dev.tarn.sharder.lint;

/** A feature of shards that readers interpret differently; the JSON output has its name. */
public enum Finding {
  CORRUPT(
      "corrupt",
      "the archive is cut short or corrupt; WebDataset reads one that was cut after a whole member"
          + " as complete, others fail"),
  TRAILING(
      "trailing",
      "bytes other than padding follow the archive's end, such as a second archive; readers ignore"
          + " them, GNU tar reads them with --ignore-zeros"),
  NO_SAMPLES("no-samples", "a shard without samples leaves the worker that gets it without any"),
  NOT_ADJACENT(
      "not-adjacent",
      "the files of a sample do not follow one another, so that readers make several samples of"
          + " it"),
  EXTENSION_TWICE(
      "extension-twice",
      "a sample has an extension twice, if only in upper and lower case; WebDataset fails there"),
  DUPLICATE_KEY("duplicate-key", "several samples share a key; a look-up finds only one of them"),
  CASE_COLLISION(
      "case-collision",
      "keys differ in upper and lower case alone, which many file systems do not keep apart"),
  UNICODE_COLLISION(
      "unicode-collision",
      "keys look the same but are composed of other characters (Unicode NFC beside NFD), which"
          + " macOS does not keep apart; rename one of them"),
  BASENAME_COLLISION(
      "basename-collision",
      "samples of a shard differ in their folders alone; AIStore drops folders and mixes them up"),
  DOTS(
      "dots",
      "the name has several dots; WebDataset splits key and extension at the first, AIStore and"
          + " others at the last"),
  UPPER_CASE(
      "upper-case-extension",
      "WebDataset puts extensions into lower case, HuggingFace datasets and DALI leave them;"
          + " sharder pack or reshard --lower-case-extensions packs all in lower case"),
  RESERVED(
      "reserved-extension",
      "readers add a field of this name to each sample: WebDataset fails at the member, others"
          + " overwrite it; sharder reshard --reserved rename renames it"),
  LEADS_OUT(
      "leads-out",
      "the name is absolute or has a part \"..\"; unpacking refuses it, or writes outside of its"
          + " folder"),
  BACKSLASH(
      "backslash",
      "the name has a backslash, which Windows takes for a folder's end and others for a part of"
          + " the name"),
  HIDDEN(
      "hidden",
      "the name begins with a dot or two underscores; HuggingFace datasets skips it, DALI some,"
          + " WebDataset reads it"),
  EMPTY_EXTENSION("empty-extension", "the name ends in its first dot: the extension is empty"),
  NO_EXTENSION(
      "no-extension", "the file has no key or no extension; most readers skip it, some fail"),
  NOT_A_FILE("not-a-file", "a link or a device, whose data is not in the shard; readers skip it"),
  EXTENDED_HEADERS(
      "extended-headers",
      "a member has extended headers that neither its name nor its size needs, often for a time"
          + " with fractions: at least 1 KiB each, and some indexes then give wrong offsets"),
  NOT_UTF8("not-utf8", "the name is not UTF-8; many readers fail, others change it"),
  BLANK("blank", "the name has a blank, which DALI's index cannot express"),
  UNEVEN(
      "uneven",
      "the first five samples do not have the same extensions; HuggingFace datasets refuses that"),
  COMPRESSED("compressed", "DALI and wids read no compressed shards"),
  NO_INDEX("no-index", "the shard has no index; sharder index makes it");

  private final String text;
  private final String explanation;

  Finding(String text, String explanation) {
    this.text = text;
    this.explanation = explanation;
  }

  /** Returns its name. */
  public String text() {
    return text;
  }

  /** Returns its meaning, and which readers it affects. */
  public String explanation() {
    return explanation;
  }
}
