package dev.tarn.transport.server;

final class HttpFileRangeContractTest extends HttpBindingContract {
  HttpFileRangeContractTest() {
    super(BodyForm.FILE_RANGE);
  }
}
