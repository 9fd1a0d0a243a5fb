package dev.tarn.standalone.command;

import dev.tarn.standalone.config.BoundConfig;
import dev.tarn.standalone.config.ConfigBinder;
import dev.tarn.standalone.config.ConfigException;
import dev.tarn.standalone.config.ConfigFile;
import dev.tarn.standalone.config.HostPort;
import dev.tarn.standalone.config.Keys;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.DataFolder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of serve: short forms of configuration keys, and --set for every key. */
final class ServeOptions {
  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "Role of this process: all, control, gateway or target.")
  private @Nullable String role;

  @Option(names = "--config", paramLabel = "FILE", description = "YAML configuration file.")
  private @Nullable Path config;

  @Option(names = "--data", paramLabel = "DIR", description = "Data folder of this process.")
  private @Nullable String data;

  @Option(
      names = "--disk",
      paramLabel = "DIR",
      description =
          "Folder of a disk; repeat for each disk. Default: one folder in the data folder.")
  private List<String> disks = List.of();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Address of the S3 listener, or of the listener of the role control or target.")
  private @Nullable String listen;

  @Option(
      names = "--admin-listen",
      paramLabel = "HOST:PORT",
      description = "Address of the admin listener: API, /healthz, /readyz, /metrics.")
  private @Nullable String adminListen;

  @Option(
      names = "--ready-file",
      paramLabel = "FILE",
      description = "File for the ready line, written when the process serves.")
  private @Nullable String readyFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set a configuration key; --print-config lists the keys.")
  private Map<String, String> set = new LinkedHashMap<>();

  /**
   * Binds the configuration. Flags take precedence over the environment, the environment over the
   * file, and the file over the defaults.
   */
  BoundConfig<TarnConfig> bind(Map<String, String> environment) throws ConfigException {
    TarnConfig defaults = TarnConfig.defaults(DataFolder.defaultFolder(environment));
    Settings file = config == null ? Settings.none() : ConfigFile.read(config);
    Settings variables = Settings.fromEnvironment(environment, Keys.of(TarnConfig.class));
    Settings settings = file.overlaidWith(variables).overlaidWith(flags());
    String listener = "control".equals(settings.text("role")) ? "control" : "gateway";
    return ConfigBinder.bind(defaults, withAddress(settings, listener, listen, "--listen"));
  }

  private Settings flags() throws ConfigException {
    Settings flags = Settings.none();
    for (Map.Entry<String, String> entry : set.entrySet()) {
      flags = flags.with(entry.getKey(), entry.getValue(), "flag --set");
    }
    flags = withText(flags, "role", role, "--role");
    flags = withText(flags, "data", data, "--data");
    flags = withText(flags, "ready-file", readyFile, "--ready-file");
    flags = withAddress(flags, "admin", adminListen, "--admin-listen");
    return flags.withList("disks", disks, "flag --disk");
  }

  private static Settings withText(Settings flags, String key, @Nullable String text, String flag) {
    return text == null ? flags : flags.with(key, text, "flag " + flag);
  }

  private static Settings withAddress(
      Settings flags, String section, @Nullable String text, String flag) throws ConfigException {
    if (text == null) {
      return flags;
    }
    try {
      HostPort address = HostPort.parse(text);
      return flags
          .with(section + ".host", address.host(), "flag " + flag)
          .with(section + ".port", Integer.toString(address.port()), "flag " + flag);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(List.of(flag + " " + e.getMessage()));
    }
  }
}
