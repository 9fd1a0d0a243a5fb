package dev.tarn.gateway.fuzz;

import com.sun.management.ThreadMXBean;
import dev.tarn.gateway.error.S3Exception;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run over a parser, by the system properties {@code fuzz.inputs} and {@code fuzz.seed}. With
 * {@code fuzz.iteration} it is that one input alone, which does not depend on those before it.
 */
final class FuzzRun {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final long INPUTS = Long.getLong("fuzz.inputs", 20_000);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final long ALL = -1;
  private static final long ITERATION = Long.getLong("fuzz.iteration", ALL);

  /** Leaves room for classes that are loaded on the way and for what a parser keeps. */
  private static final long ALLOCATED_BYTES_MAX = 1 << 20;

  /** Of processor time for one input: what is not linear passes it, a slow machine does not. */
  private static final long CPU_NANOS_MAX = 1_000_000_000;

  private static final int MEASURED_LENGTH_MIN = 4096;
  private static final int WARM_UP_ROUNDS = 20;
  private static final int SHOWN_BYTES_MAX = 4096;

  private final ParserFuzz parser;
  private final Mutator mutator;
  private long parsed;
  private long allocatedMost;

  private FuzzRun(ParserFuzz parser) {
    this.parser = parser;
    this.mutator = new Mutator(parser);
  }

  static FuzzRun of(ParserFuzz parser) {
    return new FuzzRun(parser);
  }

  /** Fails with the first valid input that is refused. */
  void takeCorpus() throws Exception {
    List<byte[]> corpus = parser.corpus();
    for (int round = 0; round < WARM_UP_ROUNDS; round++) {
      for (int i = 0; i < corpus.size(); i++) {
        parser.parse(new FuzzInput(corpus.get(i), i, true, new SplittableRandom(round)));
      }
    }
  }

  /**
   * Fails with the first input that meets another exception than the declared, or costs too much.
   */
  void run() {
    try {
      takeCorpus();
    } catch (Exception e) {
      throw new AssertionError("a valid input was refused", e);
    }
    long startNanos = System.nanoTime();
    if (ITERATION != ALL) {
      check(ITERATION);
      return;
    }
    for (long iteration = 0; iteration < INPUTS; iteration++) {
      check(iteration);
    }
    System.out.printf(
        "%s: %,d inputs of seed %d in %,d s, %d %% parsed, at most %,d bytes allocated for one%n",
        name(),
        INPUTS,
        SEED,
        (System.nanoTime() - startNanos) / 1_000_000_000,
        100 * parsed / INPUTS,
        allocatedMost);
    if (parsed == 0) {
      throw new AssertionError(name() + " parsed none of its inputs, so it tested nothing");
    }
  }

  private void check(long iteration) {
    Cost cost = parse(iteration);
    parsed += cost.parsed ? 1 : 0;
    if (isTooDear(cost)) {
      // Once more, as the first of its kind also pays for what is loaded and made but once.
      cost = parse(iteration);
      if (isTooDear(cost)) {
        throw failure(iteration, "allocated " + cost.allocated + " bytes", null);
      }
    }
    allocatedMost = Math.max(allocatedMost, cost.allocated);
    if (cost.cpuNanos > CPU_NANOS_MAX) {
      throw failure(iteration, "took more than a second of processor time", null);
    }
  }

  private boolean isTooDear(Cost cost) {
    return cost.allocated > ALLOCATED_BYTES_MAX + (long) parser.allocatedPerByteMax() * cost.length;
  }

  private Cost parse(long iteration) {
    FuzzInput input = input(iteration);
    int length = input.bytes().length;
    boolean timed = length >= MEASURED_LENGTH_MIN;
    long cpuNanos = timed ? THREADS.getCurrentThreadCpuTime() : 0;
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    boolean refused = false;
    try {
      parser.parse(input);
    } catch (Throwable e) {
      refused = true;
      if (input.isValid() || !isRefusal(e)) {
        throw failure(iteration, "met " + e, e);
      }
    }
    return new Cost(
        length,
        !refused,
        THREADS.getCurrentThreadAllocatedBytes() - allocated,
        timed ? THREADS.getCurrentThreadCpuTime() - cpuNanos : 0);
  }

  private FuzzInput input(long iteration) {
    return mutator.next(new SplittableRandom(mixed(SEED, iteration)));
  }

  private record Cost(int length, boolean parsed, long allocated, long cpuNanos) {}

  /** Far apart for neighbours, whose sequences of chance would overlap else. */
  private static long mixed(long seed, long iteration) {
    long mixed = (seed << 40) + iteration;
    mixed = (mixed ^ mixed >>> 33) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ mixed >>> 33;
  }

  /** Whether this is declared, and the client's fault or something that is not implemented. */
  private boolean isRefusal(Throwable thrown) {
    return parser.declared().stream().anyMatch(type -> type.isInstance(thrown))
        && !(thrown instanceof S3Exception refusal
            && refusal.code().httpStatus() >= 500
            && refusal.code().httpStatus() != 501);
  }

  private String name() {
    return parser.getClass().getSimpleName();
  }

  private AssertionError failure(long iteration, String what, @Nullable Throwable cause) {
    FuzzInput input = input(iteration);
    byte[] bytes = input.bytes();
    String shown = FuzzInput.escaped(Arrays.copyOf(bytes, Math.min(SHOWN_BYTES_MAX, bytes.length)));
    return new AssertionError(
        """
        %s %s at input %d of seed %d, made from number %d of its corpus, %d bytes:
        %s%s
        this one alone: mvn test -Pfuzz -pl gateway -am -Dtest=%s -Dfuzz.seed=%d -Dfuzz.iteration=%d
        """
            .formatted(
                name(),
                what,
                iteration,
                SEED,
                input.origin(),
                bytes.length,
                shown,
                bytes.length > SHOWN_BYTES_MAX ? " and more" : "",
                name(),
                SEED,
                iteration),
        cause);
  }
}
