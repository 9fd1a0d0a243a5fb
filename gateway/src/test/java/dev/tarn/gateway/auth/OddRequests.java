package dev.tarn.gateway.auth;

import dev.tarn.gateway.request.PercentEncoding;
import java.net.URI;
import java.util.List;
import java.util.Random;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Random requests whose keys, parameters and headers are as odd as clients send them. */
public final class OddRequests {
  private static final List<String> PIECES =
      List.of(
          "a", "b", "Z", "0", "/", "//", "/../", "/./", "..", "%2F", "%", "+", " ", "é", "*'()!~",
          "𐀀", "\uFFFD", "=", "&", "?", "#", ";", ":", "@", ",", "$", "[", "]", "\"", "<", "|",
          "\t", "tail/");
  private static final List<String> VALUES =
      List.of("", "x", "a b", "a  b", " lead", "é", "a,b", "\"etag\"", "bytes=0-9", "=", "++");

  private final Random random;

  /** The same seed gives the same requests. */
  public OddRequests(long seed) {
    random = new Random(seed);
  }

  /** The next request, not signed. */
  public SdkHttpRequest next() {
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(pick(List.of(SdkHttpMethod.values())))
            .uri(URI.create("http://tarn.example.org:9000"))
            .encodedPath("/bucket/" + encodeKey(text(1 + random.nextInt(8))));
    for (int i = random.nextInt(4); i > 0; i--) {
      request.appendRawQueryParameter(
          "p" + random.nextInt(3) + pick(PIECES), text(random.nextInt(3)));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      request.appendHeader("x-amz-meta-" + random.nextInt(3), pick(VALUES));
    }
    if (random.nextBoolean()) {
      request.putHeader("Content-Type", pick(VALUES));
    }
    return request.build();
  }

  /** The bytes of a body. */
  public byte[] body(int lengthMax) {
    byte[] body = new byte[random.nextInt(lengthMax + 1)];
    random.nextBytes(body);
    return body;
  }

  /** A region that nobody has heard of. */
  public String region() {
    return "region-" + random.nextInt(5);
  }

  private String text(int pieces) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      text.append(pick(PIECES));
    }
    return text.toString();
  }

  private static String encodeKey(String key) {
    return PercentEncoding.encode(key).replace("%2F", "/");
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
