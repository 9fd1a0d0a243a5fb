package dev.tarn.gateway.s3.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.payload.PayloadDecoder;
import dev.tarn.gateway.payload.PayloadDecoders;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the file from a form as it arrives. The fields before the file are kept, up to a limit.
 * The rest of the form after the file is ignored, as in S3. Source: RFC 7578.
 */
public final class FormDecoder implements PayloadDecoder {
  private final byte[] delimiter;
  private final long fileBytesMax;
  private @Nullable FormHead head;
  private @Nullable FormFields fields;
  private DeclaredDigests digests = DeclaredDigests.NONE;

  /** How many bytes of a delimiter match the last bytes of the file so far. */
  private int matched;

  private boolean fileEnded;
  private long fileBytes;

  /**
   * Creates a decoder.
   *
   * @param boundary of the parts
   * @param fileBytesMax the maximum size of the file
   */
  public FormDecoder(String boundary, long fileBytesMax) {
    this.delimiter = ("\r\n--" + boundary).getBytes(ISO_8859_1);
    this.head = new FormHead(delimiter);
    this.fileBytesMax = fileBytesMax;
  }

  /** The fields; null until all of them have arrived. */
  public @Nullable FormFields fields() {
    return fields;
  }

  /** The number of bytes of the file that have arrived. */
  public long fileBytes() {
    return fileBytes;
  }

  @Override
  public long decodedLength() {
    return IncomingBody.UNKNOWN_LENGTH;
  }

  @Override
  public void feed(ByteBuffer piece, Consumer<ByteBuffer> out) {
    FormHead reading = head;
    if (reading != null) {
      if (!reading.read(piece)) {
        return;
      }
      head = null;
      FormFields read = reading.fields();
      fields = read;
      digests = PayloadDecoders.declaredDigests(read.headers());
    }
    file(piece, out);
  }

  /**
   * Hands out the bytes that certainly belong to the file, and searches for the boundary after it.
   */
  private void file(ByteBuffer piece, Consumer<ByteBuffer> out) {
    int start = piece.position();
    int carried = matched;
    for (int index = start; index < piece.limit() && !fileEnded; index++) {
      byte next = piece.get(index);
      if (next == delimiter[matched]) {
        matched++;
        if (matched == delimiter.length) {
          fileEnded = true;
          hand(piece, start, index + 1 - (matched - carried), out);
        }
      } else if (matched > 0) {
        if (carried > 0) {
          hand(ByteBuffer.wrap(delimiter), 0, carried, out);
          carried = 0;
        }
        // A boundary contains no carriage return, so only this byte can start another delimiter.
        matched = next == delimiter[0] ? 1 : 0;
      }
    }
    if (!fileEnded) {
      hand(piece, start, piece.limit() - (matched - carried), out);
    }
    piece.position(piece.limit());
  }

  private void hand(ByteBuffer piece, int start, int end, Consumer<ByteBuffer> out) {
    if (end > start) {
      fileBytes += end - start;
      if (fileBytes > fileBytesMax) {
        throw S3Exception.of(S3ErrorCode.ENTITY_TOO_LARGE);
      }
      out.accept(piece.slice(start, end - start));
    }
  }

  @Override
  public void end() {
    if (!fileEnded) {
      throw FormHead.malformed("it ends before its last boundary");
    }
  }

  @Override
  public DeclaredDigests declaredDigests() {
    return digests;
  }
}
