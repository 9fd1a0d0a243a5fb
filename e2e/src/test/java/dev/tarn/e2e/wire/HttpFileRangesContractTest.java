package dev.tarn.e2e.wire;

final class HttpFileRangesContractTest extends HttpBindingContract {
  HttpFileRangesContractTest() {
    super(BodyForm.FILE_RANGES);
  }
}
