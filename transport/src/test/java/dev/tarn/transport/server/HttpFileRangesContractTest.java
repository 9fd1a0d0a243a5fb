package dev.tarn.transport.server;

final class HttpFileRangesContractTest extends HttpBindingContract {
  HttpFileRangesContractTest() {
    super(BodyForm.FILE_RANGES);
  }
}
