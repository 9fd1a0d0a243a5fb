package dev.tarn.gateway.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.auth.PayloadPlan;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.fuzz.WireRequest;
import dev.tarn.gateway.request.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What headers say of a body: lengths, digests, trailers, encodings. */
class PayloadHeadersFuzz extends ParserFuzz {
  private static final long BODY_BYTES_MAX = 5L << 30;
  private static final List<PayloadPlan> PLANS =
      List.of(
          new PayloadPlan.Unsigned(),
          new PayloadPlan.UnsignedChunks(),
          ChunkedBodyFuzz.plan(1, true),
          new PayloadPlan.Sha256("0".repeat(64)));

  PayloadHeadersFuzz() {
    super(
        texts(
            "PUT /\ncontent-length: 11\ncontent-md5: XrY7u+Ae7tCTyyK7j1rNww==",
            """
            PUT /
            x-amz-decoded-content-length: 11
            x-amz-trailer: x-amz-checksum-crc32
            content-encoding: aws-chunked
            x-amz-sdk-checksum-algorithm: CRC32
            """,
            """
            PUT /
            x-amz-decoded-content-length: 11
            transfer-encoding: chunked
            content-encoding: gzip, aws-chunked
            x-amz-trailer: x-amz-checksum-crc64nvme
            """,
            """
            PUT /
            content-length: 86
            x-amz-checksum-sha256: 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
            x-amz-checksum-mode: ENABLED
            """),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    Headers headers = WireRequest.of(input).headers();
    String encoding = ContentEncodings.ofObject(headers.all("content-encoding"));
    assertThat(ContentEncodings.ofObject(List.of(encoding))).isEqualTo(encoding);
    assertThat(List.of(encoding.toLowerCase(Locale.ROOT).split(",", -1)))
        .doesNotContain("aws-chunked");
    PayloadDecoder decoder =
        PayloadDecoders.open(headers, PLANS.get(input.origin()), BODY_BYTES_MAX);
    assertThat(decoder.decodedLength()).isBetween(IncomingBody.UNKNOWN_LENGTH, BODY_BYTES_MAX);
    DigestHeaders digests = DigestHeaders.read(headers);
    assertThat(digests.declared().checksums().size() + digests.trailers().size())
        .isLessThanOrEqualTo(1);
  }
}
