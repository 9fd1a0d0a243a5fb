package dev.tarn.cluster.checksum;

import java.util.ServiceLoader;
import java.util.zip.Checksum;

/**
 * Provides CRC64NVME computations. Servers bind a native provider through {@link ServiceLoader};
 * without one, {@link Crc64Nvme} computes them.
 */
public interface Crc64NvmeProvider {
  /** Whether the provider works on this machine; called once. */
  boolean isAvailable();

  /** Begins a computation. */
  Checksum start();

  /** The first bound provider that is available, otherwise the one in plain Java. */
  static Crc64NvmeProvider fastest() {
    return Fastest.INSTANCE;
  }

  /** Looks for providers on first use. */
  final class Fastest {
    private static final Crc64NvmeProvider INSTANCE =
        ServiceLoader.load(Crc64NvmeProvider.class, Crc64NvmeProvider.class.getClassLoader())
            .stream()
            .map(ServiceLoader.Provider::get)
            .filter(Crc64NvmeProvider::isAvailable)
            .findFirst()
            .orElseGet(PlainJava::new);

    private Fastest() {}
  }

  /** The provider that works everywhere. */
  final class PlainJava implements Crc64NvmeProvider {
    @Override
    public boolean isAvailable() {
      return true;
    }

    @Override
    public Checksum start() {
      return new Crc64Nvme();
    }
  }
}
