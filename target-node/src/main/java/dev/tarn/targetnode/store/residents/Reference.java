package dev.tarn.targetnode.store.residents;

/** The result of a reference to an entry. */
public enum Reference {
  /** The cache has the entry. */
  RESIDENT,
  /** The cache does not have it. */
  ABSENT,
  /** The cache does not have it, and was asked for it a moment ago: nothing has changed since. */
  REPEATED
}
