package dev.tarn.targetnode.store.residents;

/** What a reference of an entry found. */
public enum Reference {
  /** The cache has the entry. */
  RESIDENT,
  /** The cache does not have it. */
  ABSENT,
  /** The cache does not have it, and was asked for it a moment ago: nothing has changed since. */
  REPEATED
}
