package dev.tarn.e2e.wire;

final class HttpBytesContractTest extends HttpBindingContract {
  HttpBytesContractTest() {
    super(BodyForm.BYTES);
  }
}
