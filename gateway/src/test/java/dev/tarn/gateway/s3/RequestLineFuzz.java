package dev.tarn.gateway.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.fuzz.WireRequest;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.RequestHead;
import dev.tarn.gateway.request.RequestTarget;
import dev.tarn.gateway.s3.operation.S3Operation;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** From a request's first line and headers to what it addresses and the operation it asks for. */
class RequestLineFuzz extends ParserFuzz {
  private final Addressing addressing = new Addressing(List.of("s3.example.org", "example.org"));

  RequestLineFuzz() {
    super(
        texts(
            "GET /\nhost: s3.example.org",
            "GET /bucket/a//b/../c%2Fd%20%C3%A9?versionId=null\nhost: 127.0.0.1:9000",
            "PUT /key?partNumber=1&uploadId=u\nhost: bucket.s3.example.org:9000",
            "PUT /bucket/key\nhost: h\nx-amz-copy-source: /b/k",
            "POST http://s3.example.org/bucket?delete=\nhost: other",
            "GET https://b.with.dots.example.org?list-type=2&prefix=a\nhost: x",
            "DELETE /bucket/key?tagging\nhost: h",
            "HEAD /bucket/?x-id=HeadBucket\nhost: h"),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    RequestHead head = WireRequest.of(input).head(Instant.EPOCH);
    RequestTarget target = addressing.resolve(head);
    S3Operation operation = OperationResolver.resolve(head, target);
    assertThat(operation.method()).isEqualTo(head.method());
    S3Operation.Level level =
        switch (target) {
          case RequestTarget.Service ignored -> S3Operation.Level.SERVICE;
          case RequestTarget.OfBucket(String bucket) -> {
            assertThat(bucket).isNotEmpty();
            yield S3Operation.Level.BUCKET;
          }
          case RequestTarget.OfObject(String bucket, var key) -> {
            assertThat(bucket).isNotEmpty();
            // The key is what was sent, no byte of it normalised away.
            assertThat(key.text().getBytes(UTF_8)).isEqualTo(key.bytes());
            yield S3Operation.Level.OBJECT;
          }
        };
    assertThat(operation.level()).isEqualTo(level);
  }
}
