package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.gateway.http.GatewayLimits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** What targets learn about the request that they are called for. */
class CallContextTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private final List<CallContext> seen = new CopyOnWriteArrayList<>();
  private final GatewayFixture gateway = new GatewayFixture(GatewayLimits.DEFAULT, Noting::new);
  private final S3Client s3 = gateway.client(GatewayFixture.ALICE);

  private final class Noting extends ForwardingTarget {
    Noting(ObjectTarget target) {
      super(target);
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      seen.add(request.scope().context());
      return super.call(request, body);
    }
  }

  @BeforeEach
  void create() {
    s3.createBucket(r -> r.bucket("bucket"));
    seen.clear();
  }

  @AfterEach
  void close() {
    s3.close();
    gateway.close();
  }

  private PutObjectResponse put(String traceparent) {
    return s3.putObject(
        r ->
            r.bucket("bucket")
                .key("key")
                .overrideConfiguration(c -> c.putHeader("traceparent", traceparent)),
        RequestBody.fromString("bytes"));
  }

  @Test
  void callCarriesTheRequestIdTheUserAndTheTraceOfItsRequest() {
    String requestId = put(TRACE).responseMetadata().requestId();

    assertThat(seen)
        .singleElement()
        .satisfies(context -> {
          assertThat(context.requestId()).isEqualTo(requestId);
          assertThat(context.userId()).isPresent();
          assertThat(context.traffic()).isEqualTo(TrafficClass.FOREGROUND);
          assertThat(context.traceparent()).isEqualTo(Optional.of(TRACE));
        });
  }

  @Test
  void malformedTraceparentIsIgnored() {
    put(TRACE.replace("0af7", "0AF7"));
    put("00-" + "0".repeat(32) + "-b7ad6b7169203331-01");
    put("garbage");

    assertThat(seen).hasSize(3).allSatisfy(context -> assertThat(context.traceparent()).isEmpty());
  }

  @Test
  void anonymousRequestNamesNoUser() {
    gateway.createPublicBucket("public");
    try (S3Client anonymous = gateway.anonymous()) {
      anonymous.listObjectsV2(r -> r.bucket("public"));
    }

    assertThat(seen).singleElement().satisfies(context -> assertThat(context.userId()).isEmpty());
  }
}
