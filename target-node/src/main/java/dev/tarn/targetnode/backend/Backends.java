package dev.tarn.targetnode.backend;

import dev.tarn.cluster.control.BackendSettings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The open backends, one for each distinct {@link BackendSettings}; each is opened on first use.
 */
public final class Backends implements AutoCloseable {
  private final Function<BackendSettings, Backend> opening;
  private final ConcurrentHashMap<BackendSettings, Backend> open = new ConcurrentHashMap<>();

  public Backends(Function<BackendSettings, Backend> opening) {
    this.opening = opening;
  }

  /** Backends accessed through the AWS SDK. */
  public static Backends overS3(BackendLimits limits, MeterRegistry registry) {
    Counter hedges =
        Counter.builder("tarn.cache.hedges")
            .description("Second requests for what a backend was slow to answer")
            .register(registry);
    return new Backends(settings -> S3Backend.open(settings, limits, hedges::increment));
  }

  /** The backend with these settings. */
  public Backend of(BackendSettings settings) {
    return open.computeIfAbsent(settings, opening);
  }

  @Override
  public void close() {
    open.values().forEach(Backend::close);
    open.clear();
  }
}
