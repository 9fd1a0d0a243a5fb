package dev.tarn.gateway.s3.object;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.xml.XmlElement;
import dev.tarn.gateway.xml.XmlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** S3 checksums in documents and in the headers of multipart uploads. */
public final class Checksums {
  private static final String ELEMENT_PREFIX = "Checksum";

  private Checksums() {}

  /** Writes an element for each checksum, and one for their type. */
  public static void elements(XmlWriter xml, List<ObjectChecksum> checksums) {
    partElements(xml, checksums);
    typeElement(xml, checksums);
  }

  /** Writes the same elements, but a composite value without the number of parts. */
  static void attributeElements(XmlWriter xml, List<ObjectChecksum> checksums) {
    for (ObjectChecksum checksum : checksums) {
      String value = checksum.value();
      int numberOfParts = value.indexOf('-');
      xml.element(
          ELEMENT_PREFIX + checksum.algorithm().name(),
          numberOfParts < 0 ? value : value.substring(0, numberOfParts));
    }
    typeElement(xml, checksums);
  }

  private static void typeElement(XmlWriter xml, List<ObjectChecksum> checksums) {
    if (!checksums.isEmpty()) {
      xml.element("ChecksumType", checksums.getFirst().type().name());
    }
  }

  /** Writes an element for each checksum, without the type: a part has no type. */
  public static void partElements(XmlWriter xml, List<ObjectChecksum> checksums) {
    for (ObjectChecksum checksum : checksums) {
      xml.element(ELEMENT_PREFIX + checksum.algorithm().name(), checksum.value());
    }
  }

  /** Writes what listings tell of checksums: their algorithms and their type. */
  public static void listed(
      XmlWriter xml, List<ChecksumAlgorithm> algorithms, Optional<ChecksumType> type) {
    algorithms.forEach(algorithm -> xml.element("ChecksumAlgorithm", algorithm.name()));
    type.ifPresent(value -> xml.element("ChecksumType", value.name()));
  }

  /** Reads the checksums from the children of an element. */
  public static List<ObjectChecksum> of(XmlElement element) {
    List<ObjectChecksum> checksums = new ArrayList<>(1);
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      element
          .childText(ELEMENT_PREFIX + algorithm.name())
          .filter(value -> !value.isEmpty())
          .ifPresent(value ->
              checksums.add(new ObjectChecksum(algorithm, ChecksumType.FULL_OBJECT, value)));
    }
    return checksums;
  }

  /**
   * Finds the type of this name; case does not matter.
   *
   * @throws S3Exception InvalidRequest for an unknown type
   */
  public static ChecksumType type(String name) {
    for (ChecksumType type : ChecksumType.values()) {
      if (type.name().equalsIgnoreCase(name.strip())) {
        return type;
      }
    }
    throw S3Exception.of(
        S3ErrorCode.INVALID_REQUEST,
        "Value for x-amz-checksum-type header is invalid: "
            + name
            + "; it must be COMPOSITE or FULL_OBJECT.");
  }

  /** The default type of a multipart upload with this algorithm. */
  public static ChecksumType defaultType(ChecksumAlgorithm algorithm) {
    return algorithm == ChecksumAlgorithm.CRC64NVME
        ? ChecksumType.FULL_OBJECT
        : ChecksumType.COMPOSITE;
  }

  /**
   * Refuses a type that the algorithm does not support.
   *
   * @throws S3Exception InvalidRequest
   */
  public static void requirePossible(ChecksumAlgorithm algorithm, ChecksumType type) {
    boolean possible =
        switch (algorithm) {
          case CRC64NVME -> type == ChecksumType.FULL_OBJECT;
          case SHA1, SHA256 -> type == ChecksumType.COMPOSITE;
          case CRC32, CRC32C -> true;
        };
    if (!possible) {
      throw S3Exception.of(
          S3ErrorCode.INVALID_REQUEST,
          "The " + type + " checksum type cannot be used with the " + algorithm + " algorithm.");
    }
  }
}
