package dev.tarn.targetnode.backend;

import dev.tarn.cluster.control.BackendSettings;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/** A real S3 server of other people's making (s3proxy, in memory), on a free loopback port. */
public final class OtherS3 implements Closeable {
  private static final String ACCESS_KEY_ID = "other-s3";
  private static final String SECRET = "other-s3-secret";

  private final TransientNio2BlobStore store = new TransientNio2BlobStore();
  private final AtomicInteger buckets = new AtomicInteger();
  private final S3Proxy server;

  /** Starts it. */
  public static OtherS3 start() {
    try {
      OtherS3 other = new OtherS3();
      other.server.start();
      return other;
    } catch (Exception e) {
      throw new IllegalStateException("the other S3 does not start", e);
    }
  }

  private OtherS3() throws URISyntaxException {
    Properties properties = new Properties();
    properties.setProperty("s3proxy.endpoint", "http://127.0.0.1:0");
    properties.setProperty("s3proxy.authorization", "aws-v2-or-v4");
    properties.setProperty("s3proxy.identity", ACCESS_KEY_ID);
    properties.setProperty("s3proxy.credential", SECRET);
    server =
        S3Proxy.Builder.fromProperties(properties)
            .blobStore(store)
            .ignoreUnknownHeaders(true)
            .build();
  }

  /** Settings of a new empty bucket there. */
  public BackendSettings newBucket(String prefix) {
    String name = "bucket-" + buckets.incrementAndGet();
    store.createContainer(name);
    return new BackendSettings(
        Optional.of(URI.create("http://127.0.0.1:" + server.getPort())),
        "us-east-1",
        name,
        prefix,
        ACCESS_KEY_ID,
        SECRET);
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("the other S3 does not stop", e);
    }
    store.close();
  }
}
