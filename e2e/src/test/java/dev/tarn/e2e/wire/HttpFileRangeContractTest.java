package dev.tarn.e2e.wire;

final class HttpFileRangeContractTest extends HttpBindingContract {
  HttpFileRangeContractTest() {
    super(BodyForm.FILE_RANGE);
  }
}
