package dev.tarn.gateway.policy;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.User;
import dev.tarn.gateway.request.Headers;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request.
 *
 * @param user who signed; null for anonymous
 * @param address the client's address; an empty text if the connection has none
 * @param headers of the request, which conditions of policies compare
 * @param secure whether the connection is encrypted
 * @param referer the page that led to the request; null if the request names none
 * @param copies whether the request copies an object or a part of one; other requests have no copy
 *     source, whatever their headers say
 * @param ofUpload whether the request belongs to a multipart upload that exists, whose tags and ACL
 *     are fixed
 */
public record Caller(
    @Nullable User user,
    Supplier<String> address,
    Headers headers,
    boolean secure,
    @Nullable String referer,
    boolean copies,
    boolean ofUpload) {
  public Caller {
    requireNonNull(address, "address is null");
    requireNonNull(headers, "headers is null");
  }

  /** Another user over the same connection, whom a form names. */
  public Caller byForm(@Nullable User other, Headers fields) {
    return new Caller(other, address, fields, secure, referer, false, false);
  }
}
