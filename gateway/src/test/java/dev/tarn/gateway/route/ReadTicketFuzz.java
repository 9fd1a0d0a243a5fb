package dev.tarn.gateway.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.gateway.fuzz.FuzzInput;
import dev.tarn.gateway.fuzz.ParserFuzz;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

class ReadTicketFuzz extends ParserFuzz {
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          ClusterSecrets.of(new byte[32]), () -> Instant.parse("2026-01-01T00:00:00Z"));

  private static final List<Get> READS =
      Stream.of("k", "shards/000000.tar", "é𐀀 :", "x".repeat(1024))
          .map(key ->
              new Get(
                  new CallScope(new BucketId(1), 2, 3, CallContext.UNNAMED),
                  ObjectKey.of(key),
                  key.length() > 1 ? Optional.of("null") : Optional.empty(),
                  Selection.WHOLE,
                  Preconditions.NONE))
          .toList();

  ReadTicketFuzz() {
    super(
        READS.stream()
            .map(read -> ReadTicket.issue(CAPABILITIES, read).text().getBytes(UTF_8))
            .toList(),
        Set.of(WireException.class));
  }

  @Override
  protected void parse(FuzzInput input) throws WireException {
    ReadTicket ticket = ReadTicket.parse(input.text());

    assertThat(ReadTicket.parse(ticket.text())).isEqualTo(ticket);
    if (ReadTicket.refuseStranger(CAPABILITIES, input.text()).isEmpty()
        && ticket.refuse(CAPABILITIES).isEmpty()) {
      assertThat(READS).contains(ticket.read());
    }
  }
}
