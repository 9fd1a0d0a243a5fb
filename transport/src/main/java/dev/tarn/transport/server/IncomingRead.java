package dev.tarn.transport.server;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TrafficClass;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.WireException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One direct read by a client with a ticket. The ticket names the object. The headers name the
 * range and the ETag. The rest of the request is ignored. All methods belong to the connection's
 * event loop.
 */
final class IncomingRead {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{0,18})");

  private final HttpServerRequest http;
  private final Capabilities capabilities;
  private final CallAdmission admission;
  private final Semaphore places;
  private final DirectReadFigures figures;
  private final long begunNanos = System.nanoTime();

  /** Clients name no request, so this target does. */
  private final String requestId =
      "direct-" + Long.toHexString(ThreadLocalRandom.current().nextLong());

  private final ReplyWriter reply;
  private boolean hasPlace;

  /**
   * @param places one permit for each read that may be in progress
   * @param figures count the reads by outcome
   */
  IncomingRead(
      Context context,
      HttpServerRequest http,
      Capabilities capabilities,
      CallAdmission admission,
      Semaphore places,
      DirectReadFigures figures) {
    this.http = http;
    this.capabilities = capabilities;
    this.admission = admission;
    this.places = places;
    this.figures = figures;
    this.reply =
        new ReplyWriter(
            context, http, new ObjectForm(requestId, http.getHeader("range") != null), () -> {});
  }

  void start() {
    figures.countBegin();
    reply.whenOver(this::over);
    String shown = http.getHeader(HttpBinding.TICKET_HEADER);
    String text = shown == null ? "" : shown;
    Optional<Failure> stranger = ReadTicket.refuseStranger(capabilities, text);
    if (stranger.isPresent()) {
      reply.fail(stranger.orElseThrow());
    } else if (!places.tryAcquire()) {
      reply.fail(
          new Failure.Overloaded(
              "Too many direct reads in progress (limit "
                  + TargetServer.DIRECT_READS_MAX
                  + "); retry later."));
    } else {
      hasPlace = true;
      read(text);
    }
  }

  private void over() {
    if (hasPlace) {
      places.release();
    }
    var outcome =
        reply.isRefusal() ? DirectReadFigures.Outcome.REFUSED : DirectReadFigures.Outcome.SERVED;
    figures.countEnd(
        reply.isComplete() ? outcome : DirectReadFigures.Outcome.BROKEN,
        reply.sentBytes(),
        System.nanoTime() - begunNanos);
  }

  private void read(String text) {
    try {
      ReadTicket ticket = ReadTicket.parse(text);
      Optional<Failure> forbidden = ticket.refuse(capabilities);
      if (forbidden.isPresent()) {
        reply.fail(forbidden.orElseThrow());
        return;
      }
      judge(
          ticket.of(
              context(),
              selection(http.getHeader("range")),
              condition(http.getHeader("if-match"))));
    } catch (RuntimeException | Error defect) {
      reply.fail(defect);
    } catch (WireException malformed) {
      reply.fail(new Failure.InvalidRequest(String.valueOf(malformed.getMessage())));
    }
  }

  private void judge(Get request) {
    reply.whenReady(
        admission.admitTicket(request),
        admitted -> {
          switch (admitted) {
            case Outcome.Failed<ObjectTarget>(Failure failure) -> reply.fail(failure);
            case Outcome.Success<ObjectTarget>(ObjectTarget target) -> {
              if (!reply.isLost()) {
                reply.read(target.call(request));
              }
            }
          }
        });
  }

  private CallContext context() {
    return new CallContext(
        requestId,
        Optional.empty(),
        TrafficClass.FOREGROUND,
        Optional.ofNullable(http.getHeader("traceparent")).filter(CallContext::isTraceparent));
  }

  private static Selection selection(@Nullable String range) throws WireException {
    if (range == null) {
      return Selection.WHOLE;
    }
    Matcher matcher = RANGE.matcher(range);
    if (matcher.matches()) {
      long first = Long.parseLong(matcher.group(1));
      String end = matcher.group(2);
      long last = end.isEmpty() ? Long.MAX_VALUE : Long.parseLong(end);
      if (first <= last) {
        return new Selection.Range(first, last);
      }
    }
    throw new WireException("the range of a direct read must be bytes=FIRST-[LAST]");
  }

  private static Preconditions condition(@Nullable String ifMatch) throws WireException {
    if (ifMatch == null) {
      return Preconditions.NONE;
    }
    if (!ifMatch.matches("\"[^\"]+\"") || ifMatch.equals("\"*\"")) {
      throw new WireException("If-Match of a direct read must be one ETag in quotes");
    }
    String etag = ifMatch.substring(1, ifMatch.length() - 1);
    return new Preconditions(List.of(etag), List.of(), OptionalLong.empty(), OptionalLong.empty());
  }
}
