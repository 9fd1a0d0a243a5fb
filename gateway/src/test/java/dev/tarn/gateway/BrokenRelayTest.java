package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.OutcomeCodec;
import dev.tarn.gateway.http.GatewayLimits;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.PatientClients;
import dev.tarn.transport.relay.ScriptedTarget;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** A target that breaks off its answer behind a gateway. */
class BrokenRelayTest {
  private static final int LENGTH = 1_000_000;
  private static final int SENT = 600_000;

  @Test
  void theClientsConnectionIsClosedSoThatItTakesNoPartForTheWhole() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (GatewayFixture gateway =
        new GatewayFixture(GatewayLimits.DEFAULT, memory -> new Broken(memory, vertx))) {
      gateway.createPublicBucket("broken");
      try (S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
        s3.putObject(r -> r.bucket("broken").key("k"), RequestBody.fromBytes(new byte[LENGTH]));
      }
      try (RawConnection connection = new RawConnection(gateway.port())) {
        connection.send("GET /broken/k HTTP/1.1\r\nHost: test\r\n\r\n");
        int received = 0;
        while (connection.read() >= 0) {
          received++;
        }
        assertThat(received).isBetween(1, LENGTH - 1);
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** Reads over HTTP, from what never gives the whole. */
  private static final class Broken extends ForwardingTarget {
    private final ObjectTarget memory;
    private final Vertx vertx;

    Broken(ObjectTarget memory, Vertx vertx) {
      super(memory);
      this.memory = memory;
      this.vertx = vertx;
    }

    @Override
    public CompletionStage<Outcome<ObjectRead>> get(TargetRequest.Get request, IncomingBody body) {
      return memory
          .call(
              new TargetRequest.Head(
                  request.scope(),
                  request.key(),
                  request.version(),
                  request.selection(),
                  request.preconditions()))
          .thenCompose(head -> over(request, OutcomeCodec.HEAD.encode(head)));
    }

    private CompletionStage<Outcome<ObjectRead>> over(TargetRequest.Get request, byte[] message) {
      try {
        ScriptedTarget target =
            new ScriptedTarget((connection, in, out) -> {
              ScriptedTarget.readRequest(in);
              out.write(ScriptedTarget.head(message.length, LENGTH));
              out.write(message);
              out.write(new byte[SENT]);
            });
        return new HttpTarget(
                PatientClients.plain(vertx),
                target.address(),
                new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system()))
            .call(request)
            .whenComplete((outcome, failure) -> close(target));
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    private static void close(ScriptedTarget target) {
      try {
        target.close();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }
}
