package dev.tarn.e2e.clients;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A Java client's day for {@code e2e/clients/run}: the same as in {@link JavaClientsTest}, at a
 * server that runs and with files that the script has made.
 */
public final class JavaDay {
  private JavaDay() {}

  /**
   * Spends it.
   *
   * @param args the client's name
   */
  public static void main(String[] args) throws Exception {
    JavaClientKind kind =
        Arrays.stream(JavaClientKind.values())
            .filter(known -> known.title().equals(args[0]))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no client " + args[0]));
    S3Endpoint endpoint =
        new S3Endpoint(
            URI.create(variable("ENDPOINT")),
            variable("AWS_ACCESS_KEY_ID"),
            variable("AWS_SECRET_ACCESS_KEY"));
    Path input = Path.of(variable("INPUT"));
    Optional<Path> certificate = Optional.ofNullable(System.getenv("AWS_CA_BUNDLE")).map(Path::of);
    try (JavaClient client = kind.open(endpoint)) {
      System.out.println("version: " + client.version());
      if (!client.note().isEmpty()) {
        System.out.println("note: " + client.note());
      }
      new UsersDay(client, variable("BUCKET"), certificate)
          .spend(input.resolve("tree"), input.resolve("large"));
    }
  }

  private static String variable(String name) {
    return requireNonNull(System.getenv(name), name + " is not set");
  }
}
