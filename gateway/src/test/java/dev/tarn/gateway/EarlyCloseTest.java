package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that go away before their request is whole, or before they have its answer. */
class EarlyCloseTest {
  private static final int STEP_BYTES = 3;

  @ParameterizedTest
  @ValueSource(strings = {"length", "chunks", "signed chunks", "expectation", "document", "upload"})
  void clientMayGoAtAnyByteAndNothingIsHalfDone(String kind) throws IOException {
    WireFixture wire = new WireFixture("wire");
    try (wire) {
      byte[] request = request(wire, kind).getBytes(ISO_8859_1);
      for (int end = 0; end < request.length; end += STEP_BYTES) {
        try (RawConnection connection = wire.connect()) {
          connection.send(Arrays.copyOf(request, end));
        }
      }
      // One more, whose answer nobody reads.
      try (RawConnection connection = wire.connect()) {
        connection.send(wire.get("whole").repeat(10));
      }
      wire.store("whole", "content");

      assertThat(wire.contentOf("whole")).isEqualTo("content");
      assertThat(wire.keys()).containsExactly("whole");
      assertThat(wire.s3().listMultipartUploads(r -> r.bucket("wire")).uploads()).isEmpty();
    }
    assertThat(wire.gateway().metrics().get("tarn.s3.requests.in.flight").gauge().value()).isZero();
    assertThat(wire.gateway().memory().openBodies()).isZero();
  }

  /** Each lacks at least one byte at every place where it is cut. */
  private static String request(WireFixture wire, String kind) {
    HandSigner signer = wire.signer();
    String target = wire.presignedPut("half");
    return switch (kind) {
      case "length" -> wire.request("PUT", target, "Content-Length: 100\r\n") + "x".repeat(99);
      case "chunks" ->
          wire.request("PUT", target, "Transfer-Encoding: chunked\r\n")
              + "a\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r";
      case "signed chunks" -> {
        byte[] object = "twenty bytes of text".getBytes(ISO_8859_1);
        Signed signed =
            signer.sign(
                "PUT",
                "/wire/half",
                AwsChunkedBody.SIGNED,
                Map.of("x-amz-decoded-content-length", "20"));
        byte[] body = AwsChunkedBody.signed(signer, signed, object, 7);
        yield signed.with("Content-Length: " + (body.length + 1) + "\r\n")
            + new String(body, ISO_8859_1);
      }
      case "expectation" ->
          wire.request("PUT", target, "Expect: 100-continue\r\nContent-Length: 9\r\n") + "12345678";
      case "document" -> {
        String document = "<Delete><Object><Key>whole</Key></Object></Delete>";
        yield signer
                .sign(
                    "POST",
                    "/wire?delete=",
                    WireFixture.UNSIGNED,
                    Map.of("x-amz-checksum-crc32", WireFixture.crc32(document)))
                .with("Content-Length: " + (document.length() + 1) + "\r\n")
            + document;
      }
      default ->
          signer
              .sign("POST", "/wire/half?uploads=", WireFixture.UNSIGNED, Map.of())
              .with("Content-Length: 1\r\n");
    };
  }
}
