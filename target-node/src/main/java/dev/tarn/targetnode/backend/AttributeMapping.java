package dev.tarn.targetnode.backend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectAttributes;
import java.net.URLEncoder;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Translates an object's attributes between the target contract and the SDK. */
final class AttributeMapping {
  private static final String USER_METADATA = "x-amz-meta-";

  private static final List<String> HEADERS =
      List.of(
          "content-type",
          "content-encoding",
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
      answer.firstMatchingHeader(name).ifPresent(value -> headers.put(name, value));
    }
    Map<String, String> userMetadata = new HashMap<>();
    answer.forEachHeader((name, values) -> {
      String lower = name.toLowerCase(Locale.ROOT);
      if (lower.startsWith(USER_METADATA)) {
        userMetadata.put(lower.substring(USER_METADATA.length()), String.join(",", values));
      }
    });
    return new ObjectAttributes(headers, userMetadata, Map.of());
  }

  static void into(PutObjectRequest.Builder request, ObjectAttributes attributes) {
    Map<String, String> headers = attributes.headers();
    take(headers, "content-type", request::contentType);
    take(headers, "content-encoding", request::contentEncoding);
    take(headers, "content-language", request::contentLanguage);
    take(headers, "content-disposition", request::contentDisposition);
    take(headers, "cache-control", request::cacheControl);
    take(headers, "x-amz-website-redirect-location", request::websiteRedirectLocation);
    take(headers, "x-amz-storage-class", request::storageClass);
    request.metadata(attributes.userMetadata());
    if (!attributes.tags().isEmpty()) {
      request.tagging(tagging(attributes.tags()));
    }
  }

  /** Sets the Expires header, which the SDK accepts only as a time. */
  static void expires(
      AwsRequestOverrideConfiguration.Builder override, ObjectAttributes attributes) {
    take(attributes.headers(), "expires", value -> override.putHeader("Expires", value));
  }

  /** Sets the attributes on a multipart upload, which takes the same ones as a put. */
  static void into(CreateMultipartUploadRequest.Builder request, ObjectAttributes attributes) {
    PutObjectRequest.Builder put = PutObjectRequest.builder();
    into(put, attributes);
    PutObjectRequest same = put.build();
    request
        .contentType(same.contentType())
        .contentEncoding(same.contentEncoding())
        .contentLanguage(same.contentLanguage())
        .contentDisposition(same.contentDisposition())
        .cacheControl(same.cacheControl())
        .websiteRedirectLocation(same.websiteRedirectLocation())
        .storageClass(same.storageClass())
        .metadata(same.metadata())
        .tagging(same.tagging())
        .overrideConfiguration(override -> expires(override, attributes));
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

  private static void take(Map<String, String> headers, String name, Consumer<String> setter) {
    String value = headers.get(name);
    if (value != null) {
      setter.accept(value);
    }
  }
}
