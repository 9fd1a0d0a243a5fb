package dev.tarn.sharder.cli;

import dev.tarn.sharder.pack.Packer;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version =
        Objects.requireNonNullElse(
            SharderMain.class.getPackage().getImplementationVersion(), "development");
    return new String[] {"sharder " + version, "encoder " + Packer.ENCODER};
  }
}
