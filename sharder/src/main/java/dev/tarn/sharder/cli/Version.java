package dev.tarn.sharder.cli;

import dev.tarn.sharder.pack.Packer;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version =
        Objects.requireNonNullElse(
            SharderMain.class.getPackage().getImplementationVersion(), "development");
    return new String[] {"sharder " + version, "encoder " + Packer.ENCODER};
  }
}
