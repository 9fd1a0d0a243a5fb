package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A completion that takes longer than clients like to wait. */
class SlowCompletionTest {
  private static final String DOCUMENT =
      "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>e</ETag></Part>"
          + "</CompleteMultipartUpload>";

  @Test
  void answerBeginsEarlyAndTellsTheErrorInItsBody() throws IOException {
    CompletableFuture<Outcome<ObjectMetadata>> outcome = new CompletableFuture<>();
    try (GatewayFixture gateway =
        new GatewayFixture(
            GatewayLimits.DEFAULT,
            target ->
                new ForwardingTarget(target) {
                  @Override
                  public CompletionStage<Outcome<ObjectMetadata>> complete(
                      UploadRequest.Complete request, IncomingBody body) {
                    return outcome;
                  }
                })) {
      gateway.createPublicBucket("slow");
      Signed request =
          new HandSigner("127.0.0.1:" + gateway.port())
              .sign("POST", "/slow/key?uploadId=u", "UNSIGNED-PAYLOAD", Map.of());
      try (RawConnection connection = new RawConnection(gateway.port())) {
        connection
            .send(request.with("Content-Length: " + DOCUMENT.length() + "\r\n"))
            .send(DOCUMENT);
        assertThat(connection.read()).isEqualTo('H');
        outcome.complete(Outcome.failed(new Failure.LostRace()));
        RawConnection.RawResponse answer = connection.receiveAfter("H");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
            .startsWith("<?xml")
            .contains("<Error><Code>ConditionalRequestConflict</Code>")
            .contains("<RequestId>" + answer.header("x-amz-request-id") + "</RequestId>");
        assertThat(
                connection.send("GET /slow/none HTTP/1.1\r\nHost: test\r\n\r\n").receive().status())
            .isEqualTo(404);
      }
    }
  }
}
