package dev.tarn.sharder.plan;

import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.sort.GrowingBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/** Writes a plan's file, sample by sample. */
final class PlanWriter {
  private static final int FLUSH_LENGTH = 512 * 1024;

  private final WritableByteChannel target;
  private final MessageDigest sha256 = Sha256.newDigest();
  private final GrowingBytes waiting = new GrowingBytes();
  private final GrowingBytes directory = new GrowingBytes();
  private final Set<String> names = new HashSet<>();
  private final CRC32C crc = new CRC32C();
  private long blockLength;
  private int shards;
  private int samples;
  private int members;
  private long membersLength;
  private long fileBytes;
  private long nameBytes;
  private long largestSample;

  /**
   * @param taken names of existing shards
   */
  PlanWriter(WritableByteChannel target, Set<String> taken) {
    this.target = target;
    names.addAll(taken);
    waiting.putLong(PlanFormat.MAGIC);
    putInt(waiting, PlanFormat.VERSION);
  }

  /** Returns whether the current shard has room for a sample. */
  boolean hasRoom(SampleDraft sample) {
    long indexed = (long) members + sample.members().size();
    return blockLength + waiting.length() + sample.planLengthMax() <= PlanFormat.BLOCK_LENGTH_MAX
        && nameBytes + sample.nameBytes() + indexed * PlanFormat.INDEX_BYTES_PER_MEMBER
            <= PlanFormat.INDEX_LENGTH_MAX;
  }

  /** Adds a sample to the current shard. */
  void add(SampleDraft sample, long tarLength) throws IOException {
    if (samples == 0) {
      drain();
      crc.reset();
      blockLength = 0;
    }
    sample.put(waiting);
    samples++;
    members += sample.members().size();
    membersLength += tarLength;
    fileBytes += sample.fileBytes();
    nameBytes += sample.nameBytes();
    largestSample = Math.max(largestSample, tarLength);
    if (waiting.length() > FLUSH_LENGTH) {
      drainBlock();
    }
  }

  private void drainBlock() throws IOException {
    crc.update(waiting.array(), 0, waiting.length());
    blockLength += waiting.length();
    drain();
  }

  /** Ends the current shard. */
  void endShard(String name, Optional<String> split) throws IOException {
    drainBlock();
    if (!names.add(name)) {
      throw new IOException(
          "two shards would be named "
              + name
              + "; choose patterns that differ in more than the number");
    }
    directory.putSized(MemberNames.encode(name));
    directory.putSized(MemberNames.encode(split.orElse("")));
    directory.putVarint(blockLength);
    putInt(directory, (int) crc.getValue());
    directory.putVarint(samples);
    directory.putVarint(members);
    directory.putVarint(membersLength);
    directory.putVarint(fileBytes);
    directory.putVarint(nameBytes);
    directory.putVarint(largestSample);
    shards++;
    samples = 0;
    members = 0;
    membersLength = 0;
    fileBytes = 0;
    nameBytes = 0;
    largestSample = 0;
  }

  /** Writes the directory, the header and the footer. */
  void finish(PlanHeader header) throws IOException {
    GrowingBytes whole = new GrowingBytes();
    whole.putVarint(shards);
    whole.put(directory.array(), 0, directory.length());
    long directoryLength = whole.length();
    byte[] json = PlanHeaderJson.write(header);
    whole.put(json);
    whole.putLong(directoryLength);
    whole.putLong(json.length);
    waiting.put(whole.array(), 0, whole.length());
    drain();
    byte[] digest = sha256.digest();
    crc.reset();
    crc.update(whole.array(), 0, whole.length());
    crc.update(digest);
    ByteBuffer end = ByteBuffer.allocate(PlanFormat.DIGEST_LENGTH + Integer.BYTES + Long.BYTES);
    write(end.put(digest).putInt((int) crc.getValue()).putLong(PlanFormat.MAGIC).flip());
  }

  private void drain() throws IOException {
    sha256.update(waiting.array(), 0, waiting.length());
    write(ByteBuffer.wrap(waiting.array(), 0, waiting.length()));
    waiting.clear();
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      target.write(bytes);
    }
  }

  private static void putInt(GrowingBytes bytes, int value) {
    bytes.putShort(value >>> 16);
    bytes.putShort(value);
  }
}
