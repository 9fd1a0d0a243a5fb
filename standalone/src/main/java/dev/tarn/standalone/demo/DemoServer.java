package dev.tarn.standalone.demo;

import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.standalone.Tarn;
import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.config.ConfigBinder;
import dev.tarn.standalone.config.ConfigException;
import dev.tarn.standalone.config.Settings;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.KeyPair;
import dev.tarn.standalone.node.StartFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Tarn server in this process, on free ports. Closing deletes its data. */
final class DemoServer implements AutoCloseable {
  private static final String ACCESS_KEY = "DEMO";
  private static final int SECRET_BYTES = 20;

  private final Path folder;
  private final KeyPair admin;
  private final Tarn tarn;
  private boolean closed;

  private DemoServer(Path folder, KeyPair admin, Tarn tarn) {
    this.folder = folder;
    this.admin = admin;
    this.tarn = tarn;
  }

  static DemoServer start() throws IOException, StartFailure {
    Path folder = Files.createTempDirectory("tarn-demo-");
    KeyPair admin = newPair();
    try {
      return new DemoServer(folder, admin, Tarn.start(config(folder), Optional.of(admin)));
    } catch (StartFailure | RuntimeException e) {
      remove(folder);
      throw e;
    }
  }

  private static KeyPair newPair() {
    SecureRandom random = new SecureRandom();
    byte[] access = new byte[SECRET_BYTES - ACCESS_KEY.length()];
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(access);
    random.nextBytes(secret);
    HexFormat hex = HexFormat.of().withUpperCase();
    return new KeyPair(
        (ACCESS_KEY + hex.formatHex(access)).substring(0, SECRET_BYTES), hex.formatHex(secret));
  }

  private static TarnConfig config(Path folder) {
    Settings freePorts =
        Settings.none().with("gateway.port", "0", "demo").with("admin.port", "0", "demo");
    try {
      return ConfigBinder.bind(TarnConfig.defaults(folder.resolve("data")), freePorts).value();
    } catch (ConfigException e) {
      throw new IllegalStateException("the demo's own settings are wrong", e);
    }
  }

  void createBucket(String name) throws IOException {
    new AdminClient(tarn.ready().admin(), admin)
        .call("POST", "/buckets", new JsonObject().put("name", name));
  }

  /** Opens the SDK's storage client for this server. */
  Storage openStorage() {
    return Storage.open(
        StorageOptions.builder()
            .endpoint(endpoint())
            .credentials(AccessKeys.of(admin.accessKey(), admin.secretKey()))
            .build());
  }

  URI endpoint() {
    return tarn.ready().url();
  }

  KeyPair admin() {
    return admin;
  }

  /** The temporary folder of the server's data. */
  Path folder() {
    return folder;
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      tarn.close();
      remove(folder);
    }
  }

  private static void remove(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
