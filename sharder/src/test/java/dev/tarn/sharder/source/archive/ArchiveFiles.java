package dev.tarn.sharder.source.archive;

import dev.tarn.shard.tar.TarWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveOutputStream;
import org.apache.commons.compress.archivers.sevenz.SevenZArchiveEntry;
import org.apache.commons.compress.archivers.sevenz.SevenZOutputFile;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;

/** Archives of small files, made in memory. */
public final class ArchiveFiles {
  private ArchiveFiles() {}

  /** So many files of random sizes and bytes, in an order that is not their names'. */
  public static Map<String, byte[]> files(int count) {
    Random random = new Random(count);
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[random.nextInt(5_000)];
      random.nextBytes(bytes);
      files.put("d/%04d.bin".formatted(i * 7919 % count), bytes);
    }
    return files;
  }

  /** A tar archive. */
  public static byte[] tar(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarWriter writer = new TarWriter(Channels.newChannel(bytes))) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        writer.begin(file.getKey(), file.getValue().length);
        writer.write(ByteBuffer.wrap(file.getValue()));
      }
      writer.finish();
    }
    return bytes.toByteArray();
  }

  /** Those bytes by gzip. */
  public static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(plain);
    }
    return bytes.toByteArray();
  }

  /** A zip archive, every other member of it stored as it is. */
  public static byte[] zip(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      boolean stored = false;
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ZipEntry entry = new ZipEntry(file.getKey());
        if (stored) {
          CRC32 crc = new CRC32();
          crc.update(file.getValue());
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(file.getValue().length);
          entry.setCrc(crc.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(file.getValue());
        stored = !stored;
      }
    }
    return bytes.toByteArray();
  }

  /** A cpio archive of the portable format. */
  public static byte[] cpio(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (CpioArchiveOutputStream cpio = new CpioArchiveOutputStream(bytes, "UTF-8")) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        cpio.putArchiveEntry(new CpioArchiveEntry(file.getKey(), file.getValue().length));
        cpio.write(file.getValue());
        cpio.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  /** An ar archive, whose long names lie before their data. */
  public static byte[] ar(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArArchiveOutputStream ar = new ArArchiveOutputStream(bytes)) {
      ar.setLongFileMode(ArArchiveOutputStream.LONGFILE_BSD);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        ar.putArchiveEntry(new ArArchiveEntry(file.getKey(), file.getValue().length));
        ar.write(file.getValue());
        ar.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }

  /** A 7z archive, compressed by LZMA2. */
  public static byte[] sevenZip(Map<String, byte[]> files) throws IOException {
    SeekableInMemoryByteChannel bytes = new SeekableInMemoryByteChannel();
    try (SevenZOutputFile archive = new SevenZOutputFile(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        SevenZArchiveEntry entry = new SevenZArchiveEntry();
        entry.setName(file.getKey());
        archive.putArchiveEntry(entry);
        archive.write(file.getValue());
        archive.closeArchiveEntry();
      }
    }
    return Arrays.copyOf(bytes.array(), (int) bytes.size());
  }
}
