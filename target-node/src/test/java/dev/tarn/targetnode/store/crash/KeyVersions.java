package dev.tarn.targetnode.store.crash;

import static dev.tarn.cluster.object.ObjectVersion.NULL_TEXT;

import dev.tarn.cluster.control.Versioning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The versions that a key has, by the rules of S3: the model that a disk is judged by. Immutable.
 *
 * @param versions the newest first
 */
record KeyVersions(List<Version> versions) {
  static final KeyVersions NONE = new KeyVersions(List.of());

  KeyVersions {
    versions = List.copyOf(versions);
  }

  /**
   * A version or delete marker.
   *
   * @param id empty where nobody was told
   * @param content empty for a delete marker
   * @param tag the value of its one tag; empty for none
   */
  record Version(Optional<String> id, Optional<byte[]> content, String tag) {
    boolean isNull() {
      return id.equals(Optional.of(NULL_TEXT));
    }

    boolean matches(Version found) {
      return (id.isPresent() ? id.equals(found.id) : !found.isNull())
          && content.isPresent() == found.content.isPresent()
          && Arrays.equals(content.orElse(new byte[0]), found.content.orElse(new byte[0]))
          && tag.equals(found.tag);
    }

    private String described() {
      return id.orElse("?").substring(Math.max(0, id.orElse("?").length() - 24))
          + (content.isPresent() ? " " + content.orElseThrow().length : " marker")
          + (tag.isEmpty() ? "" : " tagged " + tag);
    }
  }

  Optional<Version> newest() {
    return versions.stream().findFirst();
  }

  /** After an object or a delete marker was put. */
  KeyVersions with(Versioning versioning, Optional<String> id, Optional<byte[]> content) {
    boolean ofItsOwn = versioning == Versioning.ENABLED;
    List<Version> after = new ArrayList<>(ofItsOwn ? versions : without(NULL_TEXT).versions);
    after.addFirst(new Version(ofItsOwn ? id : Optional.of(NULL_TEXT), content, ""));
    return new KeyVersions(after);
  }

  KeyVersions without(String id) {
    return new KeyVersions(
        versions.stream().filter(version -> !version.id().equals(Optional.of(id))).toList());
  }

  KeyVersions tagged(String id, String tag) {
    return new KeyVersions(
        versions.stream()
            .map(version ->
                version.id().equals(Optional.of(id))
                    ? new Version(version.id(), version.content(), tag)
                    : version)
            .toList());
  }

  /** Whether what was found can be this. */
  boolean matches(KeyVersions found) {
    if (versions.size() != found.versions.size()) {
      return false;
    }
    for (int i = 0; i < versions.size(); i++) {
      if (!versions.get(i).matches(found.versions.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return versions.stream().map(Version::described).collect(Collectors.joining(", ", "[", "]"));
  }
}
