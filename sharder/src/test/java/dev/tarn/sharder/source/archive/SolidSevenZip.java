package dev.tarn.sharder.source.archive;

import static java.nio.charset.StandardCharsets.UTF_16LE;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Writes 7z archives that no tool would: all members in one folder, as they are, under any method's
 * name. See 7zFormat.txt of the LZMA SDK.
 *
 * @param method the identifier of the method that the header names, in hexadecimal
 * @param properties of its decoder in hexadecimal; may be empty
 * @param checksums whether the header has the members' CRC32
 * @param missing the number of bytes that the data lacks at its end
 */
record SolidSevenZip(String method, String properties, boolean checksums, int missing) {
  static final String COPY = "00";
  static final String PPMD = "030401";
  static final String LZMA = "030101";

  /** Properties of an LZMA decoder with a dictionary of 1 GiB. */
  static final String LARGE_DICTIONARY = "5d00000040";

  private static final byte[] SIGNATURE = {'7', 'z', (byte) 0xbc, (byte) 0xaf, 0x27, 0x1c, 0, 4};

  static SolidSevenZip of(String method, String properties) {
    return new SolidSevenZip(method, properties, true, 0);
  }

  byte[] write(Map<String, byte[]> files) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    files.values().forEach(all::writeBytes);
    byte[] data = Arrays.copyOf(all.toByteArray(), all.size() - missing);
    byte[] header = header(files, all.size());
    ByteBuffer archive = ByteBuffer.allocate(32 + data.length + header.length);
    archive.order(ByteOrder.LITTLE_ENDIAN).put(SIGNATURE).putInt(0);
    archive.putLong(data.length).putLong(header.length).putInt(crc(header, 0, header.length));
    archive.putInt(8, crc(archive.array(), 12, 20));
    return archive.put(data).put(header).array();
  }

  private byte[] header(Map<String, byte[]> files, int bytes) {
    List<byte[]> members = new ArrayList<>(files.values());
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    // header; streams; packed streams: at 0, one, their sizes
    header.writeBytes(new byte[] {1, 4, 6, 0, 1, 9});
    number(header, bytes - missing);
    // folders: one, of one coder
    byte[] id = HexFormat.of().parseHex(method);
    byte[] settings = HexFormat.of().parseHex(properties);
    int flags = settings.length == 0 ? 0 : 0x20;
    header.writeBytes(new byte[] {0, 7, 0x0b, 1, 0, 1, (byte) (flags | id.length)});
    header.writeBytes(id);
    if (settings.length > 0) {
      number(header, settings.length);
      header.writeBytes(settings);
    }
    header.write(0x0c);
    number(header, bytes);
    // members in the folder: how many, their sizes but for the last, their checksums
    header.writeBytes(new byte[] {0, 8, 0x0d});
    number(header, members.size());
    header.write(9);
    members.subList(0, members.size() - 1).forEach(member -> number(header, member.length));
    if (checksums) {
      header.writeBytes(new byte[] {0x0a, 1});
      for (byte[] member : members) {
        header.writeBytes(intBytes(crc(member, 0, member.length)));
      }
    }
    // files: their names
    byte[] names = (String.join("\0", files.keySet()) + "\0").getBytes(UTF_16LE);
    header.writeBytes(new byte[] {0, 0, 5});
    number(header, files.size());
    header.write(0x11);
    number(header, names.length + 1);
    header.write(0);
    header.writeBytes(names);
    header.writeBytes(new byte[] {0, 0});
    return header.toByteArray();
  }

  private static void number(ByteArrayOutputStream header, int value) {
    header.write(0xff);
    header.writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
  }

  private static byte[] intBytes(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  private static int crc(byte[] bytes, int offset, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
