package dev.tarn.client.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Set;

/** A decoder that the tests' class path offers as a service. */
public final class ReversedText implements SampleDecoder {
  @Override
  public Set<String> extensions() {
    return Set.of("reversed");
  }

  @Override
  public Object decode(EncodedMember member) {
    return new StringBuilder(UTF_8.decode(member.data())).reverse().toString();
  }
}
