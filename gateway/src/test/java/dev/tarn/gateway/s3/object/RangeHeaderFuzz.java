package dev.tarn.gateway.s3.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.Selection;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.util.Set;

class RangeHeaderFuzz extends ParserFuzz {
  RangeHeaderFuzz() {
    super(
        texts("bytes=0-9", "bytes=100-", "bytes=-5", "Bytes = 1 - 2", "bytes=0-1,5-9", "bytes=5-4"),
        Set.of());
  }

  /** No Range header is refused: what is malformed means the whole object. */
  @Override
  protected void parse(FuzzInput input) {
    Selection selection = RangeHeader.parse(input.wire());
    if (selection instanceof Selection.Range(long first, long last)) {
      assertThat(RangeHeader.parse("bytes=" + first + "-" + last)).isEqualTo(selection);
    }
    if (selection instanceof Selection.Suffix(long length)) {
      assertThat(RangeHeader.parse("bytes=-" + length)).isEqualTo(selection);
    }
  }
}
