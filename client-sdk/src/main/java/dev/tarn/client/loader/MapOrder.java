package dev.tarn.client.loader;

/** The order of the results of a map by several threads. */
public enum MapOrder {
  /** The order of the samples: a slow result delays those behind it. */
  ORDERED,
  /** The order of completion. A checkpoint then also holds the numbers that came out of order. */
  UNORDERED
}
