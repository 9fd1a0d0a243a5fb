package dev.tarn.gateway.s3.form;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.auth.Credential;
import dev.tarn.gateway.auth.FormAuthenticator;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.Response;
import dev.tarn.gateway.payload.PayloadDecoders;
import dev.tarn.gateway.policy.Action;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.PercentEncoding;
import dev.tarn.gateway.route.GatewayView;
import dev.tarn.gateway.s3.object.ObjectHeaders;
import dev.tarn.gateway.s3.object.ObjectUrls;
import dev.tarn.gateway.s3.object.Tags;
import dev.tarn.gateway.s3.object.WriteParameters;
import dev.tarn.gateway.s3.operation.Authorization;
import dev.tarn.gateway.s3.operation.BucketAccess;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Numbers;
import dev.tarn.gateway.s3.operation.Operation;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import dev.tarn.gateway.s3.operation.S3Settings;
import dev.tarn.gateway.xml.XmlWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * PostObject: an upload by an HTML form. The fields of the form have the role of a PUT's headers.
 * The form's signature covers a policy, which defines the allowed values of the fields.
 */
public final class PostObject implements Operation.Direct {
  /** The search for the signer's key pair may block on the control plane. */
  private static final Executor WAITING = Thread::startVirtualThread;

  private static final String FORM = "multipart/form-data";
  private static final int BOUNDARY_LENGTH_MAX = 70;

  private final ObjectTarget target;
  private final GatewayView view;
  private final S3Settings settings;
  private final ObjectUrls urls;
  private final FormAuthenticator authenticator;

  public PostObject(ObjectTarget target, GatewayView view, S3Settings settings, ObjectUrls urls) {
    this.target = target;
    this.view = view;
    this.settings = settings;
    this.urls = urls;
    this.authenticator = new FormAuthenticator(this::credential);
  }

  private Optional<Credential> credential(String accessKeyId) {
    return view.find(state -> Credential.find(state, accessKeyId));
  }

  @Override
  public CompletionStage<Response> answer(S3Request request) {
    String boundary = boundary(Optional.ofNullable(request.header("content-type")).orElse(""));
    FormUpload upload =
        new FormUpload(
            request.exchange(), new FormDecoder(boundary, settings.limits().bodyBytesMax()));
    return upload
        .readFields()
        .thenApplyAsync(form -> judge(request, upload, form), WAITING)
        .thenCompose(put -> put(request, upload, put))
        .whenComplete((response, failure) -> {
          if (failure != null) {
            upload.cancel();
          }
        });
  }

  private static String boundary(String contentType) {
    String[] parts = contentType.split(";", -1);
    if (!parts[0].strip().toLowerCase(Locale.ROOT).equals(FORM)) {
      throw S3Exception.of(
          S3ErrorCode.PRECONDITION_FAILED,
          "Bucket POST must be of the enclosure-type " + FORM + ".");
    }
    for (String part : parts) {
      String parameter = part.strip();
      if (parameter.regionMatches(true, 0, "boundary=", 0, "boundary=".length())) {
        String value = parameter.substring("boundary=".length()).replace("\"", "");
        if (!value.isEmpty()
            && value.length() <= BOUNDARY_LENGTH_MAX
            && value.chars().allMatch(character -> character >= ' ' && character < 0x7f)) {
          return value;
        }
      }
    }
    throw S3Exception.of(
        S3ErrorCode.MALFORMED_POST_REQUEST,
        "The Content-Type of your POST request has no boundary of 1 to 70 characters.");
  }

  /** The permitted write, and the form with the parameters of its answer. */
  private record Allowed(FormFields form, TargetRequest.Put put) {}

  private Allowed judge(S3Request request, FormUpload upload, FormFields form) {
    Bucket bucket = request.bucket();
    Optional<User> user = authenticator.authenticate(form::find);
    if (user.isPresent()) {
      PostPolicy policy = PostPolicy.parse(form.find("policy").orElse(""));
      policy.check(form, bucket.name(), request.head().arrival());
      upload.bound(policy);
    }
    byte[] key = form.key().getBytes(StandardCharsets.UTF_8);
    if (key.length == 0) {
      throw Numbers.invalid("key", "", "Bucket POST must contain a field named 'key'.");
    }
    if (key.length > ObjectKey.BYTES_MAX) {
      throw S3Exception.of(S3ErrorCode.KEY_TOO_LONG);
    }
    Headers headers = form.headers();
    Optional<Map<String, String>> tags =
        form.find("tagging")
            .map(document -> Tags.ofObject(document.getBytes(StandardCharsets.UTF_8)));
    Headers judged =
        tags.map(given -> headers.with("x-amz-tagging", Tags.header(given))).orElse(headers);
    requireAllowed(request.bucketAccess().by(user.orElse(null), judged), form.key(), judged);
    ObjectAttributes said = WriteParameters.attributes(headers, bucket);
    ObjectAttributes attributes =
        tags.map(given -> new ObjectAttributes(said.headers(), said.userMetadata(), given))
            .orElse(said);
    return new Allowed(
        form,
        new TargetRequest.Put(
            request.scope(),
            ObjectKey.of(key),
            attributes,
            PayloadDecoders.announcedChecksums(headers),
            Preconditions.NONE));
  }

  /** Checks the permissions to write, and to set what comes along. */
  private static void requireAllowed(BucketAccess access, String key, Headers headers) {
    boolean isAllowed =
        access.judge(Action.PUT_OBJECT, key, null) == Decision.ALLOWED
            && Authorization.besidesWriting(headers).stream()
                .allMatch(action -> access.judge(action, key, null) == Decision.ALLOWED);
    if (!isAllowed) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
  }

  private CompletionStage<Response> put(S3Request request, FormUpload upload, Allowed allowed) {
    return target
        .call(allowed.put, upload)
        .thenApply(outcome -> {
          S3Exception cause = upload.failure();
          if (outcome instanceof Outcome.Failed<ObjectMetadata> && cause != null) {
            throw cause;
          }
          return answer(request, allowed.form, Outcomes.value(outcome));
        });
  }

  private Response answer(S3Request request, FormFields form, ObjectMetadata object) {
    String bucket = request.bucket().name();
    String key = object.name().key().text();
    String location = urls.of(request, object.name().key());
    Optional<URI> redirect =
        form.find("success_action_redirect")
            .or(() -> form.find("redirect"))
            .flatMap(PostObject::uri);
    Response response =
        Response.of(redirect.isPresent() ? 303 : status(form))
            .header(HeaderNames.ETAG, ObjectHeaders.quoted(object.etag()));
    ObjectHeaders.versionMade(response, request.bucket(), object);
    ObjectHeaders.checksums(response, object.checksums());
    if (redirect.isPresent()) {
      String target = redirect.orElseThrow().toASCIIString();
      return response.header(
          "Location",
          target
              + (target.indexOf('?') < 0 ? "?" : "&")
              + "bucket="
              + bucket
              + "&key="
              + PercentEncoding.encode(key)
              + "&etag="
              + PercentEncoding.encode(ObjectHeaders.quoted(object.etag())));
    }
    response.header("Location", location);
    return response.status() == 201
        ? response.xml(
            XmlWriter.plainDocument("PostResponse")
                .element("Location", location)
                .element("Bucket", bucket)
                .element("Key", key)
                .etag(object.etag())
                .close("PostResponse")
                .bytes())
        : response;
  }

  private static int status(FormFields form) {
    return switch (form.find("success_action_status").orElse("")) {
      case "200" -> 200;
      case "201" -> 201;
      default -> 204;
    };
  }

  /** The URI to redirect to. A text that is not a web address is ignored, as in S3. */
  private static Optional<URI> uri(String text) {
    try {
      URI uri = new URI(text);
      boolean web =
          "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
      return web && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
