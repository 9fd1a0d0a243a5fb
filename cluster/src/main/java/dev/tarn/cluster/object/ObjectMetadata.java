package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of one version of an object. Immutable.
 *
 * @param name bucket and key
 * @param version assigned by the owner at the commit
 * @param nullVersion whether S3 shows the version as {@code null}
 * @param deleteMarker whether this version is a delete marker
 * @param sizeBytes the number of bytes
 * @param etag the ETag without quotes: the MD5 in hexadecimal, {@code MD5-N} of a multipart object,
 *     or that of the backend
 * @param checksums the S3 checksums, none or more
 * @param attributes declared by the writer
 * @param modifiedMs the time of the commit in milliseconds since 1970
 * @param parts the parts of a multipart object in order of number; empty for others
 * @param origin of a cached object; null if the primary copy is here
 */
public record ObjectMetadata(
    ObjectName name,
    ObjectVersion version,
    boolean nullVersion,
    boolean deleteMarker,
    long sizeBytes,
    String etag,
    List<ObjectChecksum> checksums,
    ObjectAttributes attributes,
    long modifiedMs,
    List<ObjectPart> parts,
    @Nullable Origin origin) {
  public ObjectMetadata {
    requireNonNull(name, "name is null");
    requireNonNull(version, "version is null");
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("size of " + name + " is " + sizeBytes);
    }
    requireNonNull(etag, "etag is null");
    checksums = List.copyOf(requireNonNull(checksums, "checksums is null"));
    requireNonNull(attributes, "attributes is null");
    parts = List.copyOf(requireNonNull(parts, "parts is null"));
  }

  /** The same metadata with other attributes. */
  public ObjectMetadata with(ObjectAttributes otherAttributes) {
    return new ObjectMetadata(
        name,
        version,
        nullVersion,
        deleteMarker,
        sizeBytes,
        etag,
        checksums,
        otherAttributes,
        modifiedMs,
        parts,
        origin);
  }

  /** The version as S3 shows it. */
  public String versionText() {
    return version.textWhere(nullVersion);
  }
}
