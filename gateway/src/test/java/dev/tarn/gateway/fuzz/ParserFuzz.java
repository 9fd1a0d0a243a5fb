package dev.tarn.gateway.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A parser under random inputs. It must end each with a result or with an exception that it
 * declares, and within bounds of memory and time that grow with the input and no faster. What else
 * is to hold, such as that encoding undoes decoding, its {@link #parse} asserts.
 *
 * <p>A parser is added by a subclass that is named after it and ends in {@code Fuzz}.
 */
public abstract class ParserFuzz {
  private final List<byte[]> corpus;
  private final Set<Class<? extends Exception>> declared;

  /**
   * A parser by its valid inputs and by the exceptions with which it refuses others.
   *
   * @param corpus at least one; the more kinds there are, the more is reached
   */
  protected ParserFuzz(List<byte[]> corpus, Set<Class<? extends Exception>> declared) {
    this.corpus = List.copyOf(corpus);
    this.declared = Set.copyOf(declared);
  }

  /** Inputs that are text. */
  protected static List<byte[]> texts(String... inputs) {
    return List.of(inputs).stream().map(input -> input.getBytes(UTF_8)).toList();
  }

  /** Parses, and asserts what is to hold of the result. */
  protected abstract void parse(FuzzInput input) throws Exception;

  /**
   * A valid input as the grammar allows it, chosen by chance, for parsers that a few examples do
   * not reach the ends of. Some are tried as they are, and must parse; the others are changed.
   *
   * @return null to go on from one of the corpus
   */
  protected byte @Nullable [] valid(SplittableRandom random) {
    return null;
  }

  /** Words that this parser knows and its corpus lacks. */
  protected List<String> vocabulary() {
    return List.of();
  }

  /** The longest input. */
  protected int lengthMax() {
    return 64 << 10;
  }

  /** What may be allocated for each byte of an input, beside a constant. */
  protected int allocatedPerByteMax() {
    return 64;
  }

  @Test
  void takesEveryValidInput() throws Exception {
    FuzzRun.of(this).takeCorpus();
  }

  @Test
  void meetsNoInputThatItNeitherParsesNorRefuses() {
    FuzzRun.of(this).run();
  }

  List<byte[]> corpus() {
    return corpus;
  }

  Set<Class<? extends Exception>> declared() {
    return declared;
  }
}
