package dev.tarn.transport.server;

final class HttpStreamContractTest extends HttpBindingContract {
  HttpStreamContractTest() {
    super(BodyForm.STREAM);
  }
}
