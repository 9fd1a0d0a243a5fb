package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.shard.name.MemberNames;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.zip.AbstractUnicodeExtraField;
import org.apache.commons.compress.archivers.zip.UnicodePathExtraField;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;

/**
 * The names in a zip archive. A name is UTF-8 if its flag or its extra field 0x7075 says so, or if
 * its bytes are valid UTF-8, as many programs write without saying it. Otherwise it is in code page
 * 437, as PKWARE's APPNOTE.TXT (appendix D) says. Old programs for Windows wrote backslashes for
 * slashes: these are converted as unzip does, if the archive was made there and the name has no
 * slash.
 */
final class ZipNames {
  private static final int UTF_8_FLAG = 1 << 11;
  private static final Charset CODE_PAGE = Charset.forName("IBM437");

  private ZipNames() {}

  static String of(ZipArchiveEntry member) {
    String name = decoded(member);
    boolean isConverted =
        member.getPlatform() == ZipArchiveEntry.PLATFORM_FAT && name.indexOf('/') < 0;
    return isConverted ? name.replace('\\', '/') : name;
  }

  private static String decoded(ZipArchiveEntry member) {
    byte[] raw = member.getRawName();
    if ((member.getRawFlag() & UTF_8_FLAG) != 0) {
      return MemberNames.decode(raw);
    }
    if (member.getExtraField(UnicodePathExtraField.UPATH_ID) instanceof AbstractUnicodeExtraField e
        && e.getNameCRC32() == crc32(raw)) {
      return MemberNames.decode(e.getUnicodeName());
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException e) {
      return new String(raw, CODE_PAGE);
    }
  }

  private static long crc32(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }
}
