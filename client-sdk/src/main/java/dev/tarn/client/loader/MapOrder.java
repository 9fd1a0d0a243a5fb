package dev.tarn.client.loader;

/** In which order what several threads make comes out. */
public enum MapOrder {
  /** In that of the samples: one that takes long holds up those behind it. */
  ORDERED,
  /** As it is done. A checkpoint then holds the few numbers that have come before their turn. */
  UNORDERED
}
