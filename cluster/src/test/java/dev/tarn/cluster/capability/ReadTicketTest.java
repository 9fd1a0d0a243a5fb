package dev.tarn.cluster.capability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.RequestCodec;
import dev.tarn.cluster.wire.WireException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReadTicketTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 2, 3, CallContext.UNNAMED);
  private static final ObjectKey KEY = ObjectKey.of("shards/000.tar \u00e9");

  private static Capabilities at(Instant time) {
    return new Capabilities(ClusterSecrets.of(new byte[32]), () -> time);
  }

  private static TargetRequest.Get get(Selection selection) {
    return new TargetRequest.Get(SCOPE, KEY, Optional.of("null"), selection, Preconditions.NONE);
  }

  @Test
  void ticketIsGoodForItsObjectUntilItExpires() throws WireException {
    ReadTicket ticket = ReadTicket.parse(ReadTicket.issue(at(NOW), get(Selection.WHOLE)).text());

    assertThat(ticket.read()).isEqualTo(get(Selection.WHOLE));
    assertThat(ticket.refuse(at(NOW.plus(ReadTicket.LIFETIME).minusMillis(1)))).isEmpty();
    assertThat(ticket.refuse(at(NOW.plus(ReadTicket.LIFETIME))))
        .contains(new Failure.Forbidden("The capability has expired."));
  }

  @Test
  void whatIsReadWithItIsOneRangeOfItsObject() {
    ReadTicket ticket = ReadTicket.issue(at(NOW), get(Selection.WHOLE));

    assertThat(ticket.of(CallContext.UNNAMED, new Selection.Range(2, 3), Preconditions.NONE))
        .isEqualTo(get(new Selection.Range(2, 3)));
  }

  @Test
  void ticketOfARangeOrOfAnotherOperationIsNone() {
    assertThatThrownBy(() -> ReadTicket.issue(at(NOW), get(new Selection.Range(2, 3))))
        .isInstanceOf(IllegalArgumentException.class);

    TargetRequest<?> head = TargetRequest.Head.ofWhole(SCOPE, KEY, Optional.empty());
    String ofHead =
        at(NOW).issue(Grant.of(head), ReadTicket.LIFETIME)
            + ":"
            + Base64.getUrlEncoder().encodeToString(RequestCodec.encode(head));
    assertThatThrownBy(() -> ReadTicket.parse(ofHead))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("not a read");
  }

  @Test
  void ticketNamesNoCaller() throws WireException {
    CallContext context = CallContext.foreground("id", Optional.of("user"));
    TargetRequest.Get read = get(Selection.WHOLE);
    TargetRequest.Get named =
        new TargetRequest.Get(
            new CallScope(new BucketId(1), 2, 3, context),
            read.key(),
            read.version(),
            read.selection(),
            read.preconditions());
    String forged =
        "capability:" + Base64.getUrlEncoder().encodeToString(RequestCodec.encode(named));

    assertThat(ReadTicket.issue(at(NOW), named).read().scope()).isEqualTo(SCOPE);
    assertThatThrownBy(() -> ReadTicket.parse(forged))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("a ticket names no caller");
  }

  @Test
  void ticketIsNotShownWhereItIsPrinted() {
    ReadTicket ticket = ReadTicket.issue(at(NOW), get(Selection.WHOLE));

    assertThat(ticket.toString()).contains("shards/000.tar").doesNotContain(ticket.capability());
  }
}
