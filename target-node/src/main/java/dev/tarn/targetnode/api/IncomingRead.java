package dev.tarn.targetnode.api;

import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.targetnode.api.DirectReadFigures.Outcome;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.transport.body.EventLoops;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One read by a client with a ticket. The ticket says which object, the headers say which range and
 * of which version; nothing else of the request is looked at. All methods belong to the
 * connection's event loop.
 */
final class IncomingRead {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-(\\d{0,18})");

  private final Context context;
  private final HttpServerRequest http;
  private final CallJudge judge;
  private final ObjectTarget target;
  private final Semaphore places;
  private final DirectReadFigures figures;
  private final long begunNanos = System.nanoTime();
  private final Answer answer;
  private boolean hasPlace;

  /**
   * @param places one for each read that may be under way
   * @param figures count what becomes of it
   */
  IncomingRead(
      Context context,
      HttpServerRequest http,
      CallJudge judge,
      ObjectTarget target,
      Semaphore places,
      DirectReadFigures figures) {
    this.context = context;
    this.http = http;
    this.judge = judge;
    this.target = target;
    this.places = places;
    this.figures = figures;
    this.answer =
        new Answer(context, http, new ObjectForm(http.getHeader("range") != null), () -> {});
  }

  static boolean isOne(HttpServerRequest http) {
    return HttpMethod.GET.equals(http.method()) && HttpBinding.READ_PATH.equals(http.path());
  }

  void start() {
    figures.countBegin();
    answer.whenOver(this::over);
    String shown = http.getHeader(HttpBinding.TICKET_HEADER);
    String text = shown == null ? "" : shown;
    Optional<Failure> stranger = judge.refuseClient(text);
    if (stranger.isPresent()) {
      answer.fail(stranger.orElseThrow());
    } else if (!places.tryAcquire()) {
      answer.fail(new Failure.Overloaded("As many direct reads are under way as there may be."));
    } else {
      hasPlace = true;
      read(text);
    }
  }

  private void over() {
    if (hasPlace) {
      places.release();
    }
    Outcome answered = answer.isRefusal() ? Outcome.REFUSED : Outcome.SERVED;
    figures.countEnd(
        answer.isComplete() ? answered : Outcome.BROKEN,
        answer.sentBytes(),
        System.nanoTime() - begunNanos);
  }

  private void read(String text) {
    try {
      ReadTicket ticket = ReadTicket.parse(text);
      Optional<Failure> forbidden = judge.refuse(ticket);
      if (forbidden.isPresent()) {
        answer.fail(forbidden.orElseThrow());
        return;
      }
      judge(ticket.of(selection(http.getHeader("range")), condition(http.getHeader("if-match"))));
    } catch (RuntimeException defect) {
      answer.fail(defect);
    } catch (WireException malformed) {
      answer.fail(new Failure.InvalidRequest(String.valueOf(malformed.getMessage())));
    }
  }

  private void judge(Get request) {
    if (!judge.isStale(request)) {
      carryOut(request, judge.refuse(request));
      return;
    }
    judge
        .refuseRefreshed(request)
        .thenAccept(refusal -> EventLoops.run(context, () -> carryOut(request, refusal)));
  }

  private void carryOut(Get request, Optional<Failure> refusal) {
    Optional<Failure> refused = refusal.or(() -> judge.refuseOutdated(request));
    if (refused.isPresent()) {
      answer.fail(refused.orElseThrow());
      return;
    }
    try {
      answer.read(target.call(request));
    } catch (RuntimeException defect) {
      answer.fail(defect);
    }
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
