package dev.tarn.standalone.node;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An access key id and its secret as a person holds them; the text form hides the secret. The file
 * is one that aws-cli reads too, as AWS_SHARED_CREDENTIALS_FILE.
 */
public record KeyPair(String accessKey, String secretKey) {
  private static final String ACCESS_VARIABLE = "TARN_ACCESS_KEY";
  private static final String SECRET_VARIABLE = "TARN_SECRET_KEY";
  private static final Pattern ACCESS = Pattern.compile("(?m)^aws_access_key_id *= *(\\S+)$");
  private static final Pattern SECRET = Pattern.compile("(?m)^aws_secret_access_key *= *(\\S+)$");

  public KeyPair {
    requireNonNull(accessKey, "accessKey is null");
    requireNonNull(secretKey, "secretKey is null");
  }

  /**
   * The pair in the environment, if one is there.
   *
   * @throws IllegalArgumentException if only half of it is there
   */
  public static Optional<KeyPair> inEnvironment(Map<String, String> environment) {
    String access = environment.getOrDefault(ACCESS_VARIABLE, "");
    String secret = environment.getOrDefault(SECRET_VARIABLE, "");
    if (access.isEmpty() != secret.isEmpty()) {
      throw new IllegalArgumentException(
          (access.isEmpty() ? SECRET_VARIABLE : ACCESS_VARIABLE)
              + " is set without "
              + (access.isEmpty() ? ACCESS_VARIABLE : SECRET_VARIABLE)
              + "; set both or neither");
    }
    return access.isEmpty() ? Optional.empty() : Optional.of(new KeyPair(access, secret));
  }

  /** The pair in a file, if the file is there and holds one. */
  public static Optional<KeyPair> inFile(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String text = Files.readString(file);
    Matcher access = ACCESS.matcher(text);
    Matcher secret = SECRET.matcher(text);
    return access.find() && secret.find()
        ? Optional.of(new KeyPair(access.group(1), secret.group(1)))
        : Optional.empty();
  }

  void writeTo(Path file) throws IOException {
    SmallFile.write(
        file,
        "[default]\naws_access_key_id = "
            + accessKey
            + "\naws_secret_access_key = "
            + secretKey
            + "\n");
  }

  @Override
  public String toString() {
    return "key pair " + accessKey;
  }
}
