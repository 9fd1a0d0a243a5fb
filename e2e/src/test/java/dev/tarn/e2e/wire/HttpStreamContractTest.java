package dev.tarn.e2e.wire;

final class HttpStreamContractTest extends HttpBindingContract {
  HttpStreamContractTest() {
    super(BodyForm.STREAM);
  }
}
