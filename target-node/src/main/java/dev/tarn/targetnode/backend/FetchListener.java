package dev.tarn.targetnode.backend;

/** Is told of each request for bytes of objects. Implementations are safe for many threads. */
@FunctionalInterface
public interface FetchListener {
  /** A listener that does nothing. */
  FetchListener NONE = (nanos, isError) -> {};

  /**
   * A request has been answered, or has failed.
   *
   * @param nanos since it was sent, until its answer began
   * @param isError whether it failed; an answer that the object is not there, or is another one, is
   *     no error
   */
  void fetched(long nanos, boolean isError);
}
