package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.Pacing;
import dev.tarn.client.storage.StorageException;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.pack.MissingShardsException;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for the time that a command waits for the work of other machines. */
@Command
public final class WaitMixin {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description =
          "How long to wait for a plan that is not there yet and, to commit it, for its shards: a"
              + " number with s, m, h or d, such as 30m (default: not at all).")
  private Duration wait = Duration.ZERO;

  public boolean isGiven() {
    return !wait.isZero();
  }

  /** An attempt that may have to be repeated. */
  public interface Attempt<T> {
    T run() throws IOException, InterruptedException;
  }

  /**
   * Retries an attempt until what it needs exists, or until the time has passed.
   *
   * @throws IOException the failure of the attempt; at once if its cause is not something missing
   */
  public <T> T until(Console console, Attempt<T> attempt) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    while (true) {
      long tried = System.nanoTime();
      try {
        return attempt.run();
      } catch (IOException e) {
        Duration left = wait.minusNanos(System.nanoTime() - begun);
        if (!isMissing(e) || wait.isZero()) {
          throw e;
        }
        if (!left.isPositive()) {
          throw new IOException(e.getMessage() + ": waited for " + text(wait), e);
        }
        if (pause.equals(FIRST_PAUSE)) {
          console.warn("waiting up to " + text(wait) + ": " + e.getMessage());
        }
        // Searching thousands of shards takes a while: limit it to half of the time.
        Duration looked = Duration.ofNanos(System.nanoTime() - tried);
        Pacing.REAL.pause(least(left, looked.compareTo(pause) > 0 ? looked : pause));
        pause = least(pause.multipliedBy(2), PAUSE_MAX);
      }
    }
  }

  private static boolean isMissing(IOException failure) {
    return failure instanceof MissingShardsException
        || (failure instanceof StorageException stored
            && stored.kind() == StorageException.Kind.MISSING);
  }

  private static Duration least(Duration left, Duration right) {
    return left.compareTo(right) < 0 ? left : right;
  }

  private static String text(Duration time) {
    return time.toSeconds() % 60 == 0 ? time.toMinutes() + " minutes" : time.toSeconds() + " s";
  }

  static final class TimeConverter implements ITypeConverter<Duration> {
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})([smhd])");
    private static final Map<String, ChronoUnit> UNITS =
        Map.of(
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    @Override
    public Duration convert(String text) {
      Matcher matcher = TIME.matcher(text);
      ChronoUnit unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
      if (unit == null) {
        throw new TypeConversionException(
            "expected a number with s, m, h or d, such as 30m, not " + text);
      }
      return Duration.of(Long.parseLong(matcher.group(1)), unit);
    }
  }
}
