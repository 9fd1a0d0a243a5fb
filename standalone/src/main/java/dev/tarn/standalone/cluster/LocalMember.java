package dev.tarn.standalone.cluster;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.config.Role;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A member of a cluster on this machine.
 *
 * @param name its name, also the name of its folder; for a target also the target id
 * @param port the port of its main listener
 * @param adminPort the port of its admin listener
 */
record LocalMember(String name, Role role, int port, int adminPort) {
  private static final Pattern LINE =
      Pattern.compile("([a-z0-9-]+) (control|gateway|target) port=(\\d{1,5}) admin=(\\d{1,5})");

  LocalMember {
    requireNonNull(name, "name is null");
    requireNonNull(role, "role is null");
  }

  /** Parses a line that {@link #toString} wrote. */
  static LocalMember parse(String line) {
    Matcher fields = LINE.matcher(line);
    if (!fields.matches()) {
      throw new IllegalArgumentException(
          "'" + line + "' must be NAME ROLE port=PORT admin=PORT; restore the file from a copy");
    }
    return new LocalMember(
        fields.group(1),
        Role.valueOf(fields.group(2).toUpperCase(Locale.ROOT)),
        Integer.parseInt(fields.group(3)),
        Integer.parseInt(fields.group(4)));
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  String adminAddress() {
    return "127.0.0.1:" + adminPort;
  }

  URI url() {
    return URI.create("http://" + address());
  }

  URI adminUrl() {
    return URI.create("http://" + adminAddress());
  }

  @Override
  public String toString() {
    return name + " " + role.title() + " port=" + port + " admin=" + adminPort;
  }
}
