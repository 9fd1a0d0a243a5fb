package dev.tarn.client.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The decoders that need no other library: those of WebDataset, except those that run code. */
final class BuiltIn {
  /** A text cannot be longer than the member, which is in memory already. */
  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxNestingDepth(Values.DEPTH_MAX)
          .maxStringLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .build();

  /** Python writes NaN and Infinity by default. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(CONSTRAINTS)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private static final CBORFactory CBOR =
      CBORFactory.builder()
          .streamReadConstraints(CONSTRAINTS)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private BuiltIn() {}

  /** Makes a value of bytes alone. */
  private interface Decoding {
    @Nullable Object decode(ByteBuffer data) throws IOException;
  }

  private record Decoder(Set<String> extensions, Decoding decoding) implements SampleDecoder {
    @Override
    public @Nullable Object decode(EncodedMember member) throws IOException {
      return decoding.decode(member.data());
    }
  }

  static Map<String, SampleDecoder> decoders(int decompressedBytesMax, long pixelsMax) {
    Map<String, SampleDecoder> decoders = new HashMap<>();
    add(decoders, Texts::text, "txt", "text", "transcript");
    add(decoders, Texts::wholeNumber, "cls", "cls2", "class", "count", "index", "inx", "id");
    add(decoders, data -> Values.read(JSON, data), "json", "jsn");
    add(decoders, data -> Values.read(CBOR, data), "cbor");
    add(decoders, data -> new MessagePackReader(data).read(), "mp", "msg", "msgpack");
    add(decoders, NpyHeader::array, "npy");
    add(decoders, data -> Npz.read(data, decompressedBytesMax), "npz");
    add(decoders, Tenbin::read, "ten", "tb");
    add(decoders, data -> Images.read(data, pixelsMax), "jpg", "jpeg", "png", "gif", "bmp", "tif");
    add(decoders, data -> Images.read(data, pixelsMax), "tiff", "wbmp", "webp");
    add(decoders, data -> Images.read(data, pixelsMax), "pbm", "pgm", "pnm", "ppm");
    return decoders;
  }

  private static void add(
      Map<String, SampleDecoder> decoders, Decoding decoding, String... extensions) {
    Decoder decoder = new Decoder(Set.of(extensions), decoding);
    for (String extension : extensions) {
      decoders.put(extension, decoder);
    }
  }
}
