package dev.tarn.targetnode.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectAttributes;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Translates an object's attributes between the target contract and the SDK. */
final class AttributeMapping {
  private static final String USER_METADATA = "x-amz-meta-";

  private static final String CONTENT_ENCODING = "content-encoding";

  private static final List<String> HEADERS =
      List.of(
          "content-type",
          CONTENT_ENCODING,
          "content-language",
          "content-disposition",
          "cache-control",
          "expires",
          "x-amz-website-redirect-location",
          "x-amz-storage-class");

  private AttributeMapping() {}

  /** The attributes in an answer's headers; tags are not among them. */
  static ObjectAttributes of(SdkHttpResponse answer) {
    Map<String, String> headers = new HashMap<>();
    for (String name : HEADERS) {
      answer
          .firstMatchingHeader(name)
          .map(AttributeMapping::text)
          .map(value -> name.equals(CONTENT_ENCODING) ? withoutAwsChunked(value) : value)
          .filter(value -> !value.isEmpty())
          .ifPresent(value -> headers.put(name, value));
    }
    Map<String, String> userMetadata = new HashMap<>();
    answer.forEachHeader((name, values) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (lower.startsWith(USER_METADATA)) {
        userMetadata.put(lower.substring(USER_METADATA.length()), text(String.join(",", values)));
      }
    });
    return new ObjectAttributes(headers, userMetadata, Map.of());
  }

  /** Some backends keep the encoding of the request that stored the object. */
  private static String withoutAwsChunked(String encodings) {
    return Arrays.stream(encodings.split(",", -1))
        .map(String::strip)
        .filter(encoding -> !encoding.equalsIgnoreCase("aws-chunked"))
        .collect(Collectors.joining(", "));
  }

  /**
   * The text of a header's value. The HTTP client gives one character for each byte; the bytes are
   * UTF-8, or ISO 8859-1 if they cannot be UTF-8.
   */
  private static String text(String value) {
    if (value.chars().allMatch(character -> character < 0x80)) {
      return value;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(value.getBytes(ISO_8859_1))).toString();
    } catch (CharacterCodingException e) {
      return value;
    }
  }

  /**
   * Sets the attributes of an object that is written. They are headers of the request, the same for
   * a put, a copy and an upload; the SDK takes Expires only as a time otherwise.
   */
  static void into(AwsRequestOverrideConfiguration.Builder override, ObjectAttributes attributes) {
    for (String name : HEADERS) {
      String value = attributes.headers().get(name);
      if (value != null) {
        override.putHeader(name, value);
      }
    }
    attributes
        .userMetadata()
        .forEach((name, value) -> override.putHeader(USER_METADATA + name, value));
    if (!attributes.tags().isEmpty()) {
      override.putHeader("x-amz-tagging", tagging(attributes.tags()));
    }
  }

  /** The tags in the form of the x-amz-tagging header. */
  static String tagging(Map<String, String> tags) {
    return tags.entrySet().stream()
        .map(tag -> encode(tag.getKey()) + "=" + encode(tag.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
