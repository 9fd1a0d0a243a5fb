package dev.tarn.sharder.index;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.IndexedSample;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The index of NVIDIA DALI's WebDataset reader, in the format of its {@code wds2idx}: a line per
 * sample with the extension, offset, size and name of each file.
 */
public final class DaliIndex {
  private static final String SUFFIX = ".idx";

  private DaliIndex() {}

  /** Returns its URL: beside the shard, with another suffix. */
  public static StorageUrl url(ShardPlace shard) {
    StorageUrl url = shard.url();
    int dot = url.path().lastIndexOf(".tar");
    int end = dot > url.path().lastIndexOf('/') ? dot : url.path().lastIndexOf('.');
    return new StorageUrl(url.scheme(), url.authority(), url.path().substring(0, end) + SUFFIX);
  }

  /**
   * Returns why DALI cannot read a shard or its index cannot express it; null if there is no
   * obstacle.
   */
  static @Nullable String obstacle(ShardIndex index) throws IOException {
    if (index.restarts().isPresent()) {
      return "compressed, so that DALI cannot read it";
    }
    for (int number = 0; number < index.memberCount(); number++) {
      String name = index.member(number).name();
      if (name.chars().anyMatch(c -> c == ' ' || (c >= '\t' && c <= '\r'))) {
        return "member "
            + MemberNames.printable(name)
            + " has a blank in its name, which DALI's index cannot express";
      }
    }
    return null;
  }

  /** Returns the file's bytes. */
  static ByteBuffer of(ShardIndex index) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    int samples = 0;
    for (int number = 0; number < index.sampleCount(); number++) {
      IndexedSample sample = index.sample(number);
      // DALI treats a file whose name begins with a dot as hidden.
      if (sample.key().endsWith("/")) {
        continue;
      }
      samples++;
      String separator = "";
      for (IndexedMember member : sample.members()) {
        String extension = member.name().substring(sample.key().length() + 1);
        lines.writeBytes(separator.getBytes(US_ASCII));
        lines.writeBytes(MemberNames.encode(extension));
        lines.writeBytes((" " + member.offset() + " " + member.size() + " ").getBytes(US_ASCII));
        lines.writeBytes(MemberNames.encode(member.name()));
        separator = " ";
      }
      lines.write('\n');
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(("v1.2 " + samples + "\n").getBytes(US_ASCII));
    lines.writeTo(file);
    return ByteBuffer.wrap(file.toByteArray());
  }
}
