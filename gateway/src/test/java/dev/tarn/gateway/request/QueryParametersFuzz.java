package dev.tarn.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import java.util.Set;
import java.util.stream.Collectors;

class QueryParametersFuzz extends ParserFuzz {
  QueryParametersFuzz() {
    super(
        texts(
            "list-type=2&prefix=a%20b&delimiter=%2F&encoding-type=url&max-keys=1000",
            "uploads",
            "uploads=&&x-id=CreateMultipartUpload",
            "partNumber=1&uploadId=abc%2Fdef==",
            "response-content-type=text/plain;%20charset=utf-8&versionId=null",
            "a=b=c&a=d&%C3%A9=%F0%90%80%80&=x&+=+"),
        Set.of(S3Exception.class));
  }

  @Override
  protected void parse(FuzzInput input) {
    String raw = input.wire();
    QueryParameters query = QueryParameters.parse(raw);
    assertThat(query.raw()).isEqualTo(raw);
    String again =
        query.list().stream()
            .map(each ->
                PercentEncoding.encode(each.name()) + "=" + PercentEncoding.encode(each.value()))
            .collect(Collectors.joining("&"));
    assertThat(QueryParameters.parse(again).list().stream().map(QueryParametersFuzz::decoded))
        .containsExactlyElementsOf(
            query.list().stream().map(QueryParametersFuzz::decoded).toList());
    for (Parameter parameter : query.list().subList(0, Math.min(16, query.list().size()))) {
      assertThat(query.all(parameter.name())).contains(parameter.value());
    }
  }

  /** It is parsed, encoded and parsed again here. */
  @Override
  protected int allocatedPerByteMax() {
    return 256;
  }

  private static String decoded(Parameter parameter) {
    return parameter.name() + "\n" + parameter.value();
  }
}
