package dev.tarn.transport.server;

final class HttpBytesContractTest extends HttpBindingContract {
  HttpBytesContractTest() {
    super(BodyForm.BYTES);
  }
}
