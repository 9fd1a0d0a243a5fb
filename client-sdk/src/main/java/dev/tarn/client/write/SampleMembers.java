package dev.tarn.client.write;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.shard.tar.TarLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A sample to write: its members, ordered by the bytes of their extensions as in shards.
 *
 * @param tarLength length of all members with headers and padding, in bytes
 */
record SampleMembers(String key, List<Member> members, long tarLength) {
  /**
   * One member.
   *
   * @param name of the member in the tar
   */
  record Member(String name, String extension, MemberContent content) {}

  /**
   * Requires that the members' names are read back as this very sample.
   *
   * @throws IllegalArgumentException if a name would mean something else; the message says which
   */
  static SampleMembers of(String key, Map<String, MemberContent> contents) {
    if (contents.isEmpty()) {
      throw new IllegalArgumentException(
          "sample %s has no members".formatted(MemberNames.printable(key)));
    }
    List<Member> members = new ArrayList<>(contents.size());
    long length = 0;
    for (Map.Entry<String, MemberContent> content : contents.entrySet()) {
      String extension = content.getKey();
      String name = key + "." + extension;
      requireMeansSample(name, key, extension);
      members.add(new Member(name, extension, content.getValue()));
      length += TarLayout.memberLength(MemberNames.encode(name), content.getValue().size());
    }
    members.sort(Comparator.comparing(Member::extension, MemberNames::compare));
    return new SampleMembers(key, members, length);
  }

  private static void requireMeansSample(String name, String key, String extension) {
    SampleName read = SampleName.parse(name);
    if (read == null || !read.key().equals(key) || !read.extension().equals(extension)) {
      String meaning =
          read == null
              ? "belongs to no sample"
              : "is of the sample %s and the extension %s"
                  .formatted(
                      MemberNames.printable(read.key()), MemberNames.printable(read.extension()));
      throw new IllegalArgumentException(
          "key %s and extension %s make a member that %s: the last part of a key has no dot, an"
                  .formatted(MemberNames.printable(key), MemberNames.printable(extension), meaning)
              + " extension no slash and no upper case");
    }
    if (extension.isEmpty()
        || extension.startsWith(".")
        || key.indexOf('\0') >= 0
        || extension.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          ("key %s, extension %s: an extension must not be empty or begin with a dot, and names"
                  + " must not contain a zero")
              .formatted(MemberNames.printable(key), MemberNames.printable(extension)));
    }
  }
}
