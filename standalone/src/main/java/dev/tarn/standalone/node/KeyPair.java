package dev.tarn.standalone.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.tarn.sharder.cli.output.FailureHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An access key id and its secret key. {@link #toString} hides the secret. aws-cli can read the
 * file, as AWS_SHARED_CREDENTIALS_FILE.
 */
public record KeyPair(String accessKey, String secretKey) {
  private static final String ACCESS_VARIABLE = "TARN_ACCESS_KEY";
  private static final String SECRET_VARIABLE = "TARN_SECRET_KEY";
  private static final String RIGHT =
      "it must hold the lines aws_access_key_id = ID and aws_secret_access_key = SECRET";
  private static final Pattern ACCESS = Pattern.compile("(?m)^aws_access_key_id *= *(\\S+)$");
  private static final Pattern SECRET = Pattern.compile("(?m)^aws_secret_access_key *= *(\\S+)$");

  public KeyPair {
    requireNonNull(accessKey, "accessKey is null");
    requireNonNull(secretKey, "secretKey is null");
  }

  /**
   * The pair in TARN_ACCESS_KEY and TARN_SECRET_KEY, if they are set. A server uses it for the
   * first admin; a command signs its requests with it.
   *
   * @throws IllegalArgumentException if only one of them is set
   */
  public static Optional<KeyPair> inEnvironment(Map<String, String> environment) {
    return inEnvironment(environment, ACCESS_VARIABLE, SECRET_VARIABLE);
  }

  /**
   * The pair in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, if they are set.
   *
   * @throws IllegalArgumentException if only one of them is set
   */
  public static Optional<KeyPair> ofAws(Map<String, String> environment) {
    return inEnvironment(environment, "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
  }

  /**
   * The pair in these two variables, if they are set.
   *
   * @throws IllegalArgumentException if only one of them is set
   */
  public static Optional<KeyPair> inEnvironment(
      Map<String, String> environment, String accessVariable, String secretVariable) {
    String access = environment.getOrDefault(accessVariable, "");
    String secret = environment.getOrDefault(secretVariable, "");
    if (access.isEmpty() != secret.isEmpty()) {
      throw new IllegalArgumentException(
          (access.isEmpty() ? secretVariable : accessVariable)
              + " is set without "
              + (access.isEmpty() ? accessVariable : secretVariable)
              + "; set both or neither");
    }
    return access.isEmpty() ? Optional.empty() : Optional.of(new KeyPair(access, secret));
  }

  /**
   * The pair in a file; empty if the file does not exist.
   *
   * @throws IllegalArgumentException if the file holds no complete pair
   */
  public static Optional<KeyPair> inFile(Path file) throws IOException {
    return Files.exists(file) ? Optional.of(read(file, file.toString())) : Optional.empty();
  }

  /**
   * The pair in the file or folder that a flag names. A folder has the files access-key and
   * secret-key, such as a mounted Kubernetes Secret.
   *
   * @throws IllegalArgumentException if the file is not found, cannot be read or holds no complete
   *     pair
   */
  public static KeyPair requiredIn(Path file, String flag) {
    String what = flag + " " + file;
    if (Files.isDirectory(file)) {
      return inFolder(file, what);
    }
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(what + " is not a file; " + RIGHT);
    }
    try {
      return read(file, what);
    } catch (IOException e) {
      throw new IllegalArgumentException(what + " cannot be read: " + FailureHandler.message(e), e);
    }
  }

  private static KeyPair inFolder(Path folder, String what) {
    try {
      String access = Files.readString(folder.resolve("access-key")).strip();
      String secret = Files.readString(folder.resolve("secret-key")).strip();
      return new KeyPair(access, secret);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          what
              + " is a folder without a readable access-key and secret-key: "
              + FailureHandler.message(e),
          e);
    }
  }

  private static KeyPair read(Path file, String what) throws IOException {
    // ISO 8859-1 decodes any bytes without an error; the lines that matter are ASCII.
    String text = Files.readString(file, ISO_8859_1);
    Matcher access = ACCESS.matcher(text);
    Matcher secret = SECRET.matcher(text);
    boolean hasAccess = access.find();
    boolean hasSecret = secret.find();
    if (!hasAccess || !hasSecret) {
      String missing =
          hasAccess ? "aws_secret_access_key" : hasSecret ? "aws_access_key_id" : "key pair";
      throw new IllegalArgumentException(what + " holds no " + missing + "; " + RIGHT);
    }
    return new KeyPair(access.group(1), secret.group(1));
  }

  /** The environment variables from which {@link #inEnvironment(Map)} reads the pair. */
  public Map<String, String> environment() {
    return Map.of(ACCESS_VARIABLE, accessKey, SECRET_VARIABLE, secretKey);
  }

  /** Writes the pair in aws-cli's form, readable by the file's owner alone. */
  public void writeTo(Path file) throws IOException {
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
