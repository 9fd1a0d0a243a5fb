package dev.tarn.gateway;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.gateway.http.GatewayLimits;
import dev.tarn.gateway.route.ReadTickets;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** A gateway on a free port, in front of a target and a control plane in memory. */
public final class GatewayFixture implements AutoCloseable {
  public static final String ADMIN = "ADMINKEY";
  public static final String ALICE = "ALICEKEY";
  public static final String BOB = "BOBKEY";

  private final MemoryControlPlane control;
  private final MemoryTarget memory;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final GatewayServer server;
  private final int port;

  /** With the default limits. */
  public GatewayFixture() {
    this(GatewayLimits.DEFAULT, UnaryOperator.identity());
  }

  /** With these limits, and with what the target becomes. */
  public GatewayFixture(GatewayLimits limits, UnaryOperator<ObjectTarget> wrap) {
    this(config(limits), wrap);
  }

  /** With this configuration, and with what the target becomes. */
  public GatewayFixture(GatewayConfig config, UnaryOperator<ObjectTarget> wrap) {
    this(config, wrap, new MemoryControlPlane());
  }

  private GatewayFixture(
      GatewayConfig config, UnaryOperator<ObjectTarget> wrap, MemoryControlPlane control) {
    this(config, wrap, ReadTickets.NONE, control, control);
  }

  /** With the default limits, and with what the gateway sees of the control plane. */
  GatewayFixture(MemoryControlPlane control, ControlPlane seen) {
    this(config(GatewayLimits.DEFAULT), UnaryOperator.identity(), ReadTickets.NONE, control, seen);
  }

  /** With the default limits, and with what sends clients to the targets. */
  GatewayFixture(ReadTickets tickets) {
    this(tickets, new MemoryControlPlane());
  }

  private GatewayFixture(ReadTickets tickets, MemoryControlPlane control) {
    this(config(GatewayLimits.DEFAULT), UnaryOperator.identity(), tickets, control, control);
  }

  private GatewayFixture(
      GatewayConfig config,
      UnaryOperator<ObjectTarget> wrap,
      ReadTickets tickets,
      MemoryControlPlane control,
      ControlPlane seen) {
    this.control = control;
    memory = new MemoryTarget(this::configuration);
    addUser("admin", true, ADMIN);
    addUser("alice", false, ALICE);
    addUser("bob", false, BOB);
    server = new GatewayServer(config, seen, wrap.apply(memory), tickets, metrics);
    port = server.start();
  }

  private BucketConfiguration configuration(BucketId id) {
    Bucket bucket = control.state().bucket(id);
    return bucket == null ? BucketConfiguration.NONE : bucket.configuration();
  }

  /** Loopback, a free port, and these limits. */
  public static GatewayConfig config(GatewayLimits limits) {
    GatewayConfig defaults = GatewayConfig.DEFAULT;
    return new GatewayConfig(
        defaults.host(),
        0,
        defaults.tls(),
        defaults.domains(),
        defaults.region(),
        limits,
        defaults.bucketDefaults(),
        defaults.accessLog());
  }

  /** The default configuration, with an access log in this file. */
  static GatewayConfig logging(Path file) {
    GatewayConfig plain = config(GatewayLimits.DEFAULT);
    return new GatewayConfig(
        plain.host(),
        plain.port(),
        plain.tls(),
        plain.domains(),
        plain.region(),
        plain.limits(),
        plain.bucketDefaults(),
        Optional.of(file));
  }

  /** Makes a user with a key pair. */
  void addUser(String name, boolean admin, String accessKeyId) {
    submit(new Command.CreateUser(1, new User(name + "-id", name, admin)));
    submit(
        new Command.CreateAccessKey(
            1, new AccessKey(accessKeyId, secret(accessKeyId), name + "-id", 1)));
  }

  private static String secret(String accessKeyId) {
    return accessKeyId + "-secret";
  }

  /** Changes the control state. */
  public void submit(Command command) {
    CommandOutcome outcome = control.submit(command).toCompletableFuture().join();
    if (!(outcome instanceof CommandOutcome.Applied)) {
      throw new IllegalStateException("command was not applied: " + outcome);
    }
  }

  /** A bucket of the control state. */
  Bucket bucket(String name) {
    return requireNonNull(control.state().bucket(name), "there is no such bucket");
  }

  /** Makes a bucket of Alice's that everybody may read. */
  public void createPublicBucket(String name) {
    BucketSettings open = BucketSettings.PRIMARY.withAnonymousRead(true);
    submit(new Command.CreateBucket(1, name, "alice-id", open));
  }

  /** The port of the S3 listener. */
  public int port() {
    return port;
  }

  /** The address of the S3 listener. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The target behind it. */
  public MemoryTarget memory() {
    return memory;
  }

  /** What the gateway measures. */
  public SimpleMeterRegistry metrics() {
    return metrics;
  }

  /** A stock client, path style. */
  public S3Client client(String accessKeyId) {
    return clientBuilder(accessKeyId).build();
  }

  /** A stock client that signs nothing. */
  public S3Client anonymous() {
    return clientBuilder(ALICE).credentialsProvider(AnonymousCredentialsProvider.create()).build();
  }

  /** A stock client to be set up further. */
  public S3ClientBuilder clientBuilder(String accessKeyId) {
    return S3Client.builder()
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .credentialsProvider(credentials(accessKeyId));
  }

  /** Signs URLs. */
  public S3Presigner presigner(String accessKeyId) {
    return S3Presigner.builder()
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
        .credentialsProvider(credentials(accessKeyId))
        .build();
  }

  private static StaticCredentialsProvider credentials(String accessKeyId) {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(accessKeyId, secret(accessKeyId)));
  }

  /** Stops as SIGTERM does. */
  public void stop() {
    server.close();
  }

  @Override
  public void close() {
    stop();
  }
}
