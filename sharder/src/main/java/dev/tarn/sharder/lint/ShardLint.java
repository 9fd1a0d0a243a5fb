package dev.tarn.sharder.lint;

import dev.tarn.client.storage.StorageException;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.shard.tar.MemberType;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.source.RelativeNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Examines one shard's headers; passes its keys on, because they are compared across shards. */
final class ShardLint {
  /** The number of samples from which HuggingFace datasets infers the types of all samples. */
  private static final int SAMPLES_COMPARED = 5;

  /** Receives each sample. */
  interface Keys {
    void add(String key, long sample) throws IOException;
  }

  private final ShardAccess access;
  private final ShardPlace shard;
  private final boolean first;
  private final Keys keys;
  private final Findings findings = new Findings();

  private @Nullable String key;
  private long samples;
  private final Set<String> extensions = new HashSet<>();
  private final List<Set<String>> firstSamples = new ArrayList<>();

  /**
   * @param first whether this is the first shard
   */
  ShardLint(ShardAccess access, ShardPlace shard, boolean first, Keys keys) {
    this.access = access;
    this.shard = shard;
    this.first = first;
    this.keys = keys;
  }

  Findings look() throws IOException {
    try (TarReader reader = access.headers(shard)) {
      for (TarMember member; (member = reader.next()) != null; ) {
        look(member);
      }
      ShardFormatException trailing = reader.trailing();
      if (trailing != null) {
        findings.add(Finding.TRAILING, String.valueOf(trailing.getMessage()));
      }
      if (samples == 0) {
        findings.add(Finding.NO_SAMPLES, shard.toString());
      }
    } catch (ShardFormatException e) {
      findings.add(Finding.CORRUPT, String.valueOf(e.getMessage()));
    }
    if (firstSamples.stream().distinct().count() > 1) {
      findings.add(Finding.UNEVEN, firstSamples + " in " + shard);
    }
    lookBeside();
    return findings;
  }

  private void lookBeside() throws IOException {
    if (access.compression(shard).isPresent()) {
      findings.add(Finding.COMPRESSED, shard.toString());
    }
    try {
      access.storage().stat(shard.index());
    } catch (StorageException e) {
      switch (e.kind()) {
        case MISSING -> findings.add(Finding.NO_INDEX, shard.toString());
        case DENIED -> findings.add(Finding.NO_INDEX, shard + ": it may not be read");
        default -> throw e;
      }
    }
  }

  private void look(TarMember member) throws IOException {
    if (member.type() == MemberType.DIRECTORY) {
      return;
    }
    if (!member.isRegular()) {
      add(Finding.NOT_A_FILE, member);
      return;
    }
    lookAtHeader(member);
    SampleName name = SampleName.parse(member.name());
    if (name == null) {
      if (!SampleName.isMetadata(member.name())) {
        add(Finding.NO_EXTENSION, member);
      }
      return;
    }
    lookAtName(member, name);
    group(member, name);
  }

  private void lookAtHeader(TarMember member) {
    byte[] name = MemberNames.encode(member.name());
    long headers = member.dataOffset() - member.headerOffset();
    if (headers > TarLayout.BLOCK && TarLayout.isShort(name.length, member.size())) {
      add(Finding.EXTENDED_HEADERS, member);
    }
    if (member.name().codePoints().anyMatch(point -> point >= 0xdc80 && point <= 0xdcff)) {
      add(Finding.NOT_UTF8, member);
    }
    if (RelativeNames.leadsOut(member.name())) {
      add(Finding.LEADS_OUT, member);
    }
    if (member.name().indexOf('\\') >= 0) {
      add(Finding.BACKSLASH, member);
    }
    if (member.name().chars().anyMatch(c -> c == ' ' || (c >= '\t' && c <= '\r'))) {
      add(Finding.BLANK, member);
    }
  }

  private void lookAtName(TarMember member, SampleName name) {
    String base = member.name().substring(member.name().lastIndexOf('/') + 1);
    String extension = extension(member, name);
    if (base.startsWith(".") || base.startsWith("__")) {
      add(Finding.HIDDEN, member);
    }
    if (extension.isEmpty()) {
      add(Finding.EMPTY_EXTENSION, member);
    } else if (extension.indexOf('.') >= 0) {
      add(Finding.DOTS, member);
    }
    if (name.isReserved()) {
      add(Finding.RESERVED, member);
    }
    if (!extension.equals(name.extension())) {
      add(Finding.UPPER_CASE, member);
    }
  }

  private static String extension(TarMember member, SampleName name) {
    return member.name().substring(name.key().length() + 1);
  }

  private void group(TarMember member, SampleName name) throws IOException {
    if (!name.key().equals(key)) {
      key = name.key();
      extensions.clear();
      keys.add(name.key(), samples);
      samples++;
      findings.addSample();
      if (first && samples <= SAMPLES_COMPARED) {
        firstSamples.add(new TreeSet<>());
      }
    }
    if (extensions.size() == SampleGrouping.MEMBERS_MAX) {
      throw SampleGrouping.tooMany(shard.toString(), member);
    }
    if (!extensions.add(name.extension())) {
      add(Finding.EXTENSION_TWICE, member);
    }
    if (first && samples <= SAMPLES_COMPARED) {
      firstSamples.getLast().add(MemberNames.printable(extension(member, name)));
    }
  }

  private void add(Finding finding, TarMember member) {
    findings.add(finding, MemberNames.printable(member.name()) + " in " + shard);
  }
}
