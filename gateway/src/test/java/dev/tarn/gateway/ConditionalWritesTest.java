package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts and completions that are made under a condition, or not at all. */
class ConditionalWritesTest {
  private static final String DOCUMENT =
      "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>ETAG</ETag></Part>"
          + "</CompleteMultipartUpload>";

  @ParameterizedTest
  @CsvSource({"PUT, /races/key", "POST, /races/key?uploadId=u"})
  void lostRaceIsAConflict(String method, String target) throws IOException {
    CompletableFuture<Outcome<ObjectMetadata>> lost =
        CompletableFuture.completedFuture(Outcome.failed(new Failure.LostRace()));
    GatewayFixture gateway =
        new GatewayFixture(
            GatewayLimits.DEFAULT,
            memory ->
                new ForwardingTarget(memory) {
                  @Override
                  public CompletionStage<Outcome<ObjectMetadata>> put(
                      Put request, IncomingBody body) {
                    return lost;
                  }

                  @Override
                  public CompletionStage<Outcome<ObjectMetadata>> complete(
                      UploadRequest.Complete request, IncomingBody body) {
                    return lost;
                  }
                });
    try (WireFixture wire = new WireFixture("races", gateway)) {
      RawResponse refused = wire.send(method, target, Map.of("if-none-match", "*"), DOCUMENT);

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.body()).contains("<Code>ConditionalRequestConflict</Code>");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "if-match, '\"other\"', 412, PreconditionFailed",
    "if-none-match, *, 412, PreconditionFailed",
    "if-none-match, '\"other\", \"SAME\"', 412, PreconditionFailed",
  })
  void conditionThatAnObjectDoesNotMeetLeavesItAsItIs(
      String name, String value, int status, String code) throws IOException {
    try (WireFixture wire = new WireFixture("wire")) {
      wire.store("key", "content");
      Upload upload = begin(wire);
      String condition = value.replace("SAME", WireFixture.md5("content"));

      for (RawResponse refused : upload.putAndComplete(wire, Map.of(name, condition))) {
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.body()).contains("<Code>" + code + "</Code>");
      }
      assertThat(wire.contentOf("key")).isEqualTo("content");
    }
  }

  @ParameterizedTest
  @CsvSource({"if-match, *", "if-match, '\"SAME\"'", "if-none-match, '\"other\"'"})
  void conditionThatAnObjectMeetsReplacesIt(String name, String value) throws IOException {
    try (WireFixture wire = new WireFixture("wire")) {
      for (String step : List.of("PUT", "POST")) {
        wire.store("key", "content");
        Upload upload = begin(wire);
        Map<String, String> condition =
            Map.of(name, value.replace("SAME", WireFixture.md5("content")));

        RawResponse written =
            step.equals("PUT") ? upload.put(wire, condition) : upload.complete(wire, condition);

        assertThat(written.status()).as(written.body()).isEqualTo(200);
        assertThat(wire.contentOf("key")).isEqualTo(step.equals("PUT") ? "new" : "part");
      }
    }
  }

  @Test
  void conditionThatNoObjectHasAnETagHoldsWhereThereIsNone() throws IOException {
    try (WireFixture wire = new WireFixture("wire")) {
      RawResponse written =
          wire.send("PUT", "/wire/key", Map.of("if-none-match", "\"other\""), "new");

      assertThat(written.status()).as(written.body()).isEqualTo(200);
      assertThat(wire.contentOf("key")).isEqualTo("new");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"other\"", "*"})
  void conditionOnAKeyThatIsNotThereIsToldThatItIsMissing(String ifMatch) throws IOException {
    try (WireFixture wire = new WireFixture("wire")) {
      Upload upload = begin(wire);

      for (RawResponse refused : upload.putAndComplete(wire, Map.of("if-match", ifMatch))) {
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.body()).contains("<Code>NoSuchKey</Code>");
      }
      assertThat(wire.contentOf("key")).isEqualTo("404");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'*', '\"other\"'",
    "'*', '*'",
    "'*', SAME",
    "'\"other\"', SAME",
  })
  void conditionsThatS3DoesNotKnowTogetherAreRefused(String ifNoneMatch, String ifMatch)
      throws IOException {
    try (WireFixture wire = new WireFixture("wire")) {
      wire.store("key", "content");
      Upload upload = begin(wire);
      String etag = wire.s3().headObject(r -> r.bucket("wire").key("key")).eTag();
      Map<String, String> conditions =
          Map.of("if-none-match", ifNoneMatch, "if-match", ifMatch.replace("SAME", etag));

      for (RawResponse refused : upload.putAndComplete(wire, conditions)) {
        assertThat(refused.status()).isEqualTo(501);
        assertThat(refused.body()).contains("<Code>NotImplemented</Code>");
      }
      assertThat(wire.contentOf("key")).isEqualTo("content");
    }
  }

  @Test
  void deletionUnderAnAsteriskIsOfWhateverIsThere() throws IOException {
    try (WireFixture wire = new WireFixture("wire")) {
      wire.store("key", "content");

      assertThat(wire.send("DELETE", "/wire/key", Map.of("if-match", "*"), "").status())
          .isEqualTo(204);
      assertThat(wire.contentOf("key")).isEqualTo("404");
    }
  }

  private static Upload begin(WireFixture wire) throws IOException {
    String id = wire.s3().createMultipartUpload(r -> r.bucket("wire").key("key")).uploadId();
    String etag =
        wire.send("PUT", "/wire/key?partNumber=1&uploadId=" + id, Map.of(), "part").header("ETag");
    return new Upload(id, etag);
  }

  private record Upload(String id, String etag) {
    List<RawResponse> putAndComplete(WireFixture wire, Map<String, String> condition)
        throws IOException {
      return List.of(put(wire, condition), complete(wire, condition));
    }

    RawResponse put(WireFixture wire, Map<String, String> condition) throws IOException {
      return wire.send("PUT", "/wire/key", condition, "new");
    }

    RawResponse complete(WireFixture wire, Map<String, String> condition) throws IOException {
      String document = DOCUMENT.replace("ETAG", etag);
      return wire.send("POST", "/wire/key?uploadId=" + id, condition, document);
    }
  }
}
