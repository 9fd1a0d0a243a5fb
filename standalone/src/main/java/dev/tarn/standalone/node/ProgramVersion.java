package dev.tarn.standalone.node;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar's manifest. */
public final class ProgramVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"tarn " + text()};
  }

  /** The version; "unpackaged" if the classes do not come from a jar. */
  public static String text() {
    String version = ProgramVersion.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
