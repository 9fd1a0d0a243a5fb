package dev.tarn.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import dev.tarn.gateway.request.QueryParameters.Parameter;
import java.util.List;
import java.util.Set;

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
    StringBuilder again = new StringBuilder();
    for (Parameter parameter : query.list()) {
      again.append(PercentEncoding.encode(parameter.name())).append('=');
      again.append(PercentEncoding.encode(parameter.value())).append('&');
    }
    List<Parameter> readAgain = QueryParameters.parse(again.toString()).list();
    assertThat(readAgain.size()).isEqualTo(query.list().size());
    // Of one that differs AssertJ tells more, but allocates for each that does not.
    for (int i = 0; i < readAgain.size(); i++) {
      if (!means(readAgain.get(i), query.list().get(i))) {
        assertThat(readAgain.get(i)).isEqualTo(query.list().get(i));
      }
    }
    for (Parameter parameter : query.list().subList(0, Math.min(16, query.list().size()))) {
      assertThat(query.all(parameter.name())).contains(parameter.value());
    }
  }

  /** It is parsed, encoded and parsed again here. */
  @Override
  protected int allocatedPerByteMax() {
    return 256;
  }

  private static boolean means(Parameter one, Parameter other) {
    return one.name().equals(other.name()) && one.value().equals(other.value());
  }
}
