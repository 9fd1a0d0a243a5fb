package dev.tarn.benchmarks.origin;

/**
 * What an origin has served.
 *
 * @param connections from which requests came
 * @param bytes of bodies
 */
public record OriginFigures(long connections, long requests, long bytes) {
  String text() {
    return connections + " " + requests + " " + bytes;
  }

  static OriginFigures parse(String text) {
    String[] words = text.strip().split(" ", -1);
    return new OriginFigures(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
  }

  /** What was served since then. */
  public OriginFigures since(OriginFigures before) {
    return new OriginFigures(
        connections - before.connections, requests - before.requests, bytes - before.bytes);
  }
}
