package dev.tarn.shard.tar;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.name.MemberNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of consecutive members.
 *
 * <p>Extended headers may precede a member's own block: PAX records for this member or for all
 * later ones, or GNU's long name. PAX records override GNU's long name, which overrides the block.
 * The member's own PAX records override those for all members.
 */
final class MemberHeaders {
  /** Maximum length of an extended header in bytes; a longer one indicates corruption. */
  private static final int MAXIMUM_EXTENDED_HEADER = 1024 * 1024;

  /** Maximum size of a member: one exbibyte. Offsets and sums of such sizes do not overflow. */
  private static final long MAXIMUM_MEMBER = 1L << 60;

  private final String archive;
  private final TarInput input;
  private final HeaderBlock block = new HeaderBlock();
  private final Map<String, String> global = new HashMap<>();
  private final Map<String, String> local = new HashMap<>();
  private @Nullable String longName;
  private boolean ignoresZeros;

  MemberHeaders(String archive, TarInput input) {
    this.archive = archive;
    this.input = input;
  }

  /** Reads on past zeros that end an archive, to the next archive in the input. */
  void ignoreZeros() {
    ignoresZeros = true;
  }

  /** Returns the next member; null at the archive's end. The input is then at the member's data. */
  @Nullable TarMember next() throws IOException {
    local.clear();
    longName = null;
    long headerOffset = input.position();
    while (true) {
      long offset = input.position();
      takeBlock(offset);
      if (block.isZero()) {
        finish(headerOffset, offset);
        offset = ignoresZeros ? skipZeros() : -1;
        if (offset < 0) {
          return null;
        }
        headerOffset = offset;
        global.clear();
      }
      if (!block.isChecksumRight()) {
        throw corrupt(offset, "not a tar header: the checksum of its 512 bytes does not match");
      }
      long size = block.size();
      if (size < 0) {
        throw corrupt(offset, "the header's size is neither octal digits nor a positive number");
      }
      switch (block.type()) {
        case TarFormat.TYPE_PAX_LOCAL, TarFormat.TYPE_PAX_LOCAL_SOLARIS ->
            parsePax(offset, extension(offset, size), local);
        case TarFormat.TYPE_PAX_GLOBAL -> parsePax(offset, extension(offset, size), global);
        case TarFormat.TYPE_GNU_LONG_NAME -> longName = untilNul(extension(offset, size));
        case TarFormat.TYPE_GNU_LONG_LINK -> extension(offset, size);
        default -> {
          return member(headerOffset, offset, size);
        }
      }
    }
  }

  private void takeBlock(long offset) throws IOException {
    if (!input.take(TarFormat.BLOCK)) {
      throw corrupt(
          offset,
          input.position() == offset
              ? "the archive is cut short: its end-of-archive blocks are missing"
              : "the archive is cut short: it ends within a header");
    }
    block.reset(input.window(), input.window().position());
  }

  private void finish(long headerOffset, long offset) throws IOException {
    if (headerOffset != offset) {
      throw corrupt(offset, "the archive ends after an extended header, without its member");
    }
    if (ignoresZeros) {
      return;
    }
    takeBlock(input.position());
    if (!block.isZero()) {
      throw corrupt(offset, "a single block of zeros: an archive ends with two, a member has none");
    }
  }

  /**
   * Moves past zeros, and past the next block if there is one. A shorter last block counts as
   * filled up with zeros.
   *
   * @return the offset of that block; -1 at the input's end
   */
  private long skipZeros() throws IOException {
    ByteBuffer next = ByteBuffer.allocate(TarFormat.BLOCK);
    while (true) {
      long offset = input.position();
      next.clear();
      while (next.hasRemaining() && input.read(next) >= 0) {
        // until the block is complete or the input ends
      }
      if (next.position() == 0) {
        return -1;
      }
      while (next.hasRemaining()) {
        next.put((byte) 0);
      }
      block.reset(next, 0);
      if (!block.isZero()) {
        return offset;
      }
    }
  }

  private ByteBuffer extension(long offset, long size) throws IOException {
    if (size > MAXIMUM_EXTENDED_HEADER) {
      throw corrupt(
          offset,
          "an extended header of " + size + " bytes; at most " + MAXIMUM_EXTENDED_HEADER + " go");
    }
    if (!input.take((int) size + TarFormat.padding(size))) {
      throw corrupt(offset, "the archive is cut short: it ends within an extended header");
    }
    return input.window().slice(input.window().position(), (int) size);
  }

  private void parsePax(long offset, ByteBuffer records, Map<String, String> target)
      throws ShardFormatException {
    String problem = PaxRecords.parse(records, target);
    if (problem != null) {
      throw corrupt(offset, problem);
    }
  }

  private static String untilNul(ByteBuffer bytes) {
    byte[] name = new byte[bytes.remaining()];
    bytes.get(name);
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    return MemberNames.decode(name, 0, length);
  }

  private TarMember member(long headerOffset, long offset, long blockSize)
      throws ShardFormatException {
    String name = extended("path");
    if (name != null) {
      name = withoutLastSlashes(name);
    } else {
      name = longName != null ? longName : block.name();
    }
    MemberType type = type();
    if (block.type() == TarFormat.TYPE_GNU_SPARSE
        || PaxRecords.isSparse(local)
        || PaxRecords.isSparse(global)) {
      throw corrupt(
          offset,
          "member "
              + MemberNames.printable(name)
              + " is sparse, which shards may not be: pack it without tar's --sparse");
    }
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw corrupt(
          offset, "the member's name " + MemberNames.printable(name) + " is empty or has a NUL");
    }
    long size = hasData(type) ? size(offset, blockSize) : 0;
    if (size > MAXIMUM_MEMBER) {
      throw corrupt(
          offset,
          "member "
              + MemberNames.printable(name)
              + " of "
              + size
              + " bytes; at most "
              + MAXIMUM_MEMBER
              + " go");
    }
    return new TarMember(name, type, size, headerOffset, input.position());
  }

  /**
   * Removes trailing slashes like Python: from PAX paths of all member types, and from no other
   * names.
   */
  private static String withoutLastSlashes(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }

  private @Nullable String extended(String key) {
    if (local.isEmpty() && global.isEmpty()) {
      return null;
    }
    String value = local.get(key);
    return value != null ? value : global.get(key);
  }

  private long size(long offset, long blockSize) throws ShardFormatException {
    String stated = extended("size");
    if (stated == null) {
      return blockSize;
    }
    try {
      long size = Long.parseLong(stated);
      if (size >= 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw corrupt(
        offset, "the PAX size " + MemberNames.printable(stated) + " is not a count of bytes");
  }

  private MemberType type() {
    return switch (block.type()) {
      case TarFormat.TYPE_REGULAR_OLD ->
          block.isNameEndingInSlash() ? MemberType.DIRECTORY : MemberType.REGULAR;
      case TarFormat.TYPE_REGULAR, TarFormat.TYPE_CONTIGUOUS -> MemberType.REGULAR;
      case TarFormat.TYPE_DIRECTORY -> MemberType.DIRECTORY;
      case TarFormat.TYPE_HARD_LINK -> MemberType.HARD_LINK;
      case TarFormat.TYPE_SYMBOLIC_LINK -> MemberType.SYMBOLIC_LINK;
      default -> MemberType.OTHER;
    };
  }

  /**
   * Returns whether a member has data; links, directories, devices and pipes never have, whatever
   * size their headers state.
   */
  private boolean hasData(MemberType type) {
    byte flag = block.type();
    return type == MemberType.REGULAR
        || (type == MemberType.OTHER
            && (flag < TarFormat.TYPE_HARD_LINK || flag > TarFormat.TYPE_PIPE));
  }

  private ShardFormatException corrupt(long offset, String problem) {
    return new ShardFormatException(archive, offset, problem);
  }
}
