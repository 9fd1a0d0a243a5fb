package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of which two readers may think that they end at different places. */
class SmuggledRequestsTest {
  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    wire = new WireFixture("wire");
    wire.store("object", "content");
  }

  @AfterEach
  void nothingWasWritten() {
    List<String> keys = wire.keys();
    keys.stream()
        .filter(key -> !key.equals("object"))
        .forEach(key -> wire.s3().deleteObject(r -> r.bucket("wire").key(key)));
    assertThat(keys).containsExactly("object");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5|Transfer-Encoding: chunked",
        "Transfer-Encoding: chunked|Content-Length: 5",
        "Content-Length: 5|Content-Length: 5",
        "Content-Length: 5|Content-Length: 6",
        "Content-Length: 5, 5",
        "Content-Length: 5, 6",
        "Content-Length: +5",
        "Content-Length: -0",
        "Content-Length: 0x5",
        "Content-Length: 5 5",
        "Content-Length: 5\t5",
        "Content-Length:",
        "Content-Length: five",
        "Content-Length: 99999999999999999999",
        "Content-Length : 5",
        "Content-Length\t: 5",
        "Content-Length\u0000: 5",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked|Transfer-Encoding: chunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: \u000Bchunked",
        "Transfer-Encoding: chunked\u0000",
        "Transfer-Encoding: chunked;q=1",
        "Transfer-Encoding:| chunked, x",
        "Content-Length: 5|X: a\u0000b",
        "Content-Length: 5|X: a\rTransfer-Encoding: chunked",
        "Content-Length: 5|(X): a",
        "Content-Length: 5|NoColon",
      })
  void requestWhoseEndIsNotCertainIsRefusedAndNothingBehindItIsObeyed(String headers)
      throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(wire.request("PUT", wire.presignedPut("outer"), lines(headers)))
              .send("5\r\nhello\r\n0\r\n\r\n")
              .send(smuggled())
              .receive();

      assertThat(refused.status()).isIn(400, 501);
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void chunksHaveNoMeaningToTheFirstVersionOfHttp() throws IOException {
    try (RawConnection connection = wire.connect()) {
      String request =
          wire.request("PUT", wire.presignedPut("outer"), "Transfer-Encoding: chunked\r\n");
      RawResponse refused =
          connection
              .send(request.replace("HTTP/1.1", "HTTP/1.0") + "5\r\nhello\r\n0\r\n\r\n")
              .receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void headerWithoutANameIsRefused() throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(wire.request("PUT", wire.presignedPut("outer"), ": a\r\nContent-Length: 5\r\n"))
              .send("hello")
              .receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("<Code>InvalidRequest</Code>");
    }
  }

  /** Hixie's web sockets have eight bytes behind their head, which no header announces. */
  @Test
  void requestWhoseBodyNoHeaderAnnouncesIsRefused() throws IOException {
    String hixie =
        wire.request("GET", "/wire/object", "Sec-WebSocket-Key1: a\r\nSec-WebSocket-Key2: b\r\n");
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(hixie + wire.get("object")).receive();

      assertThat(refused.status()).isEqualTo(501);
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'GET /wire/object HTTP/1.1|Host: a||', '|', '\n'",
    "'GET /wire/object HTTP/1.1|Host: a\nX: b||', '|', '\r\n'",
    "'GET /wire/object HTTP/1.1\nHost: a||', '|', '\r\n'",
    "'GET /wire/object HTTP/1.1|Host: a||', '|', '\r'",
  })
  void headWhoseLinesEndOtherwiseIsNotObeyed(String head, String mark, String lineEnd)
      throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(head.replace(mark, lineEnd)).send("\r\n\r\n").receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /wire/object",
        "GET",
        "GET /wire/object HTTP/1.1 x",
        "GET /wire/object HTTP/1.1 ",
        "GET /wire/ object HTTP/1.1",
        "GET /wire/object HTTP/1.x",
        "GET /wire/object HTTP",
        "GET /wire/object http/1.1",
        "GET /wire/object HTTP/2.0",
        "GET /wire/object HTTP/0.9",
        "GET\u0000 /wire/object HTTP/1.1",
        "GET wire/object HTTP/1.1",
        "GET ftp://a/wire/object HTTP/1.1",
        "CONNECT a:80 HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "G(T /wire/object HTTP/1.1",
      })
  void requestLineThatIsNotAsItMustBeIsRefused(String line) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(line + "\r\nHost: a\r\n\r\n").receive();

      assertThat(refused.status()).isBetween(400, 505);
      assertThat(refused.body()).doesNotContain("content</");
    }
  }

  /** What is folded is one value with a space, for the signature too. */
  @Test
  void foldedLineIsPartOfTheValueBeforeItAndNoHeader() throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(
                  wire.request(
                      "PUT", wire.presignedPut("outer"), "X: a\r\n Transfer-Encoding: chunked\r\n"))
              .receive();

      assertThat(refused.status()).isIn(400, 411);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5\nhello|0||",
        "5|hello\n0||",
        "5|hello|0\n\n",
        "5|hello|0|X: a\n|",
        "0x5|hello|0||",
        "+5|hello|0||",
        "5,5|hello|0||",
        "|hello|0||",
        ";|hello|0||",
        "80000000|hello|0||",
        "10000000000000005|hello|0||",
        "5|hello|0|No-Colon||",
        "5|hello|0|X : a||",
        "5;a=\"\r\n\"|hello|0||",
        "5;a=b\u0000|hello|0||",
        "5|helloo|0||",
        "6|hello|0||",
      })
  void chunksThatTwoReadersMayTakeDifferentlyAreRefused(String body) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused =
          connection
              .send(
                  wire.request("PUT", wire.presignedPut("outer"), "Transfer-Encoding: chunked\r\n"))
              .send(lines(body))
              .send(smuggled())
              .receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  /** Space around a size is no part of it, nor are extensions. */
  @ParameterizedTest
  @ValueSource(strings = {"5;a=b|hello|0||", "5 ;a=\"b\"|hello|0;c||", "05|hello|000||"})
  void chunksWithExtensionsAndLeadingZeroesAreRead(String body) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse stored =
          connection
              .send(
                  wire.request("PUT", wire.presignedPut("outer"), "Transfer-Encoding: chunked\r\n"))
              .send(lines(body))
              .receive();

      assertThat(stored.status()).isEqualTo(200);
      assertThat(connection.send(wire.get("outer")).receive().body()).isEqualTo("hello");
    }
    wire.s3().deleteObject(r -> r.bucket("wire").key("outer"));
  }

  @Test
  void headersBehindTheLastChunkChangeNothing() throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse stored =
          connection
              .send(
                  wire.request("PUT", wire.presignedPut("outer"), "Transfer-Encoding: chunked\r\n"))
              .send("5\r\nhello\r\n0\r\nContent-Length: 99\r\nx-amz-acl: public-read\r\n\r\n")
              .receive();

      assertThat(stored.status()).isEqualTo(200);
      assertThat(connection.send(wire.get("outer")).receive().body()).isEqualTo("hello");
    }
    wire.s3().deleteObject(r -> r.bucket("wire").key("outer"));
  }

  private static String lines(String text) {
    String lines = text.replace("|", "\r\n");
    return lines.endsWith("\n") ? lines : lines + "\r\n";
  }

  private static String smuggled() {
    return wire.put("smuggled").with("Content-Length: 1\r\n") + "x";
  }
}
