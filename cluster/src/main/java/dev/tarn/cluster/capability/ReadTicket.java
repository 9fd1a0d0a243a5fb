package dev.tarn.cluster.capability;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.RequestCodec;
import dev.tarn.cluster.wire.WireException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * A ticket with which a client reads one object from its owner, without the gateway. A gateway
 * issues it to a caller with the permission to read. Its holder may read every range of the object
 * until it expires, as with a presigned URL.
 *
 * @param capability for the read, see {@link Capabilities}
 * @param read the object, whole and without conditions
 */
public record ReadTicket(String capability, Get read) {
  /**
   * The lifetime of a ticket. A ticket may outlive the permission that it was issued for by this
   * time.
   */
  public static final Duration LIFETIME = Duration.ofMinutes(5);

  /** How long a client uses a ticket: less than the lifetime, because clocks may differ. */
  public static final Duration USE_MAX = LIFETIME.minus(Capabilities.SKEW_MAX);

  private static final char SEPARATOR = ':';

  public ReadTicket {
    requireNonNull(capability, "capability is null");
    requireNonNull(read, "read is null");
    if (!read.selection().equals(Selection.WHOLE) || !read.preconditions().isEmpty()) {
      throw new IllegalArgumentException("a ticket is for a whole object without conditions");
    }
    CallScope scope = read.scope();
    if (!scope.context().equals(CallContext.UNNAMED) || !scope.deadline().isNone()) {
      throw new IllegalArgumentException("a ticket names no caller and no deadline");
    }
  }

  /**
   * Issues a ticket for this read, valid from now on. The capability does not cover the caller's
   * context, so the ticket leaves it out.
   */
  public static ReadTicket issue(Capabilities capabilities, Get read) {
    Get unnamed = withCaller(CallContext.UNNAMED, read, read.selection(), read.preconditions());
    return new ReadTicket(capabilities.issue(Grant.of(unnamed), LIFETIME), unnamed);
  }

  private static Get withCaller(
      CallContext context, Get read, Selection selection, Preconditions preconditions) {
    CallScope scope = read.scope();
    return new Get(
        new CallScope(scope.bucket(), scope.settingsVersion(), scope.since(), context),
        read.key(),
        read.version(),
        selection,
        preconditions);
  }

  /** The ticket as text that fits a header. */
  public String text() {
    byte[] encoded = RequestCodec.encode(read);
    return capability + SEPARATOR + Base64.getUrlEncoder().withoutPadding().encodeToString(encoded);
  }

  /** Why this text's capability is not valid at all; empty if it is valid. */
  public static Optional<Failure> refuseStranger(Capabilities capabilities, String text) {
    int separator = text.indexOf(SEPARATOR);
    return capabilities.refuse(separator < 0 ? text : text.substring(0, separator));
  }

  /**
   * Parses a ticket. The request may differ from the one that the capability grants; {@link
   * #refuse} checks that.
   *
   * @throws WireException if it is not of the form {@code CAPABILITY:REQUEST}
   */
  public static ReadTicket parse(String text) throws WireException {
    int separator = text.indexOf(SEPARATOR);
    if (separator < 0) {
      throw new WireException("a read ticket must be of the form CAPABILITY:REQUEST");
    }
    try {
      byte[] encoded = Base64.getUrlDecoder().decode(text.substring(separator + 1));
      TargetRequest<?> request = RequestCodec.decode(encoded);
      if (request instanceof Get read) {
        return new ReadTicket(text.substring(0, separator), read);
      }
    } catch (IllegalArgumentException e) {
      throw new WireException("the request of a read ticket cannot be read: " + e.getMessage(), e);
    }
    throw new WireException("the request of a read ticket is not a read");
  }

  /** Why the capability does not grant the request of this ticket; empty if it does. */
  public Optional<Failure> refuse(Capabilities capabilities) {
    return capabilities.refuse(capability, Grant.of(read));
  }

  /** The same read for this caller, of this selection and under these conditions. */
  public Get of(CallContext context, Selection selection, Preconditions preconditions) {
    return withCaller(context, read, selection, preconditions);
  }

  /** Leaves out the capability, which is a secret until it expires. */
  @Override
  public String toString() {
    return "ReadTicket[" + read.name() + "]";
  }
}
