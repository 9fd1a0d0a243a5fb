package dev.tarn.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

@Timeout(60)
final class SdkSenderTest {
  /** Answers nothing, until it is told that nobody waits for it. */
  private static final class SilentClient implements SdkHttpClient {
    private final CountDownLatch asked = new CountDownLatch(1);

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      CountDownLatch aborted = new CountDownLatch(1);
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() throws IOException {
          asked.countDown();
          // As a read of a socket, which no interrupt ends.
          boolean interrupted = false;
          boolean isAborted = false;
          while (!isAborted) {
            try {
              isAborted = aborted.await(10, TimeUnit.SECONDS);
              assertThat(isAborted).isTrue();
            } catch (InterruptedException e) {
              interrupted = true;
            }
          }
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
          throw new IOException("aborted");
        }

        @Override
        public void abort() {
          aborted.countDown();
        }
      };
    }

    @Override
    public void close() {}
  }

  @Test
  void interruptEndsARequestThatNobodyAnswers() throws Exception {
    SilentClient client = new SilentClient();
    SdkSender sender = new SdkSender(client, Optional.empty());
    Thread waiting = Thread.currentThread();
    Thread interrupting =
        new Thread(() -> {
          try {
            client.asked.await();
            waiting.interrupt();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    interrupting.start();

    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(URI.create("https://localhost/a"))
            .build();
    assertThatThrownBy(() -> sender.send(request))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("interrupted while waiting for an answer");
    assertThat(Thread.interrupted()).isTrue();
    interrupting.join();
  }
}
