package dev.tarn.cluster.wire;

import static dev.tarn.cluster.wire.WireSamples.CHECKSUM;
import static dev.tarn.cluster.wire.WireSamples.KEY;
import static dev.tarn.cluster.wire.WireSamples.METADATA;
import static dev.tarn.cluster.wire.WireSamples.PART;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.codec.MalformedMessageException;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectCodecs;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadDetails;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.VersionPage;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WireCodecTest {
  private static final OutcomeCodec<ObjectMetadata> METADATA_OUTCOME =
      new OutcomeCodec<>(ObjectCodecs.METADATA);

  private static final TargetRequest<?> OLD_HEAD =
      TargetRequest.Head.ofWhole(
          new CallScope(new BucketId(7), 12, 3, CallContext.UNNAMED),
          ObjectKey.of("k"),
          Optional.empty());

  @Test
  void everyRequestComesBackAsItWent() throws WireException {
    for (TargetRequest<?> request : WireSamples.requests()) {
      assertThat(RequestCodec.decode(RequestCodec.encode(request))).isEqualTo(request);
    }
  }

  @Test
  void targetThatStandsInIsToldSoAndTheOwnerIsNot() throws WireException {
    TargetRequest.Head owners =
        TargetRequest.Head.ofWhole(WireSamples.SCOPE, KEY, Optional.empty());
    TargetRequest.Head standIns = owners.answeredBy(Answerer.STAND_IN);

    assertThat(RequestCodec.decode(RequestCodec.encode(standIns))).isEqualTo(standIns);
    assertThat(RequestCodec.decode(RequestCodec.encode(owners.answeredBy(Answerer.OWNER_FIRST))))
        .isEqualTo(owners);
  }

  @Test
  void everyOperationHasASampleAndATagOfItsOwn() {
    assertThat(
            WireSamples.requests().stream()
                .collect(Collectors.groupingBy(RequestCodec::operationTag, Collectors.counting()))
                .keySet())
        .hasSize(18);
  }

  @Test
  void everyFailureComesBackAsItWent() throws WireException {
    assertThat(WireSamples.failures())
        .extracting(Object::getClass)
        .containsExactlyInAnyOrder(Failure.class.getPermittedSubclasses());
    for (Failure failure : WireSamples.failures()) {
      assertThat(METADATA_OUTCOME.decode(OutcomeCodec.encodeFailure(failure)))
          .isEqualTo(Outcome.failed(failure));
    }
  }

  @Test
  void everySuccessComesBackAsItWent() throws WireException {
    roundTrip(ResultCodecs.HEAD, new ObjectHead(METADATA, 5, 10));
    roundTrip(ResultCodecs.HEAD, new ObjectHead(METADATA, 5, 10, 3));
    roundTrip(ResultCodecs.EVICTED, new Evicted(3, 1L << 40, "key"));
    roundTrip(ObjectCodecs.METADATA, METADATA);
    roundTrip(ObjectCodecs.METADATA, WireSamples.BARE_METADATA);
    roundTrip(ResultCodecs.DELETED, new Deleted(true, false, "v"));
    roundTrip(ResultCodecs.UPLOAD_ID, "u-1");
    roundTrip(ObjectCodecs.PART, PART);
    roundTrip(ResultCodecs.ABORTED, new Aborted());
    roundTrip(
        ResultCodecs.LIST_PAGE,
        new ListPage(
            List.of(new ListPage.CommonPrefix(KEY), ListPage.ObjectEntry.of(METADATA)), true));
    roundTrip(
        ResultCodecs.VERSION_PAGE,
        new VersionPage(
            List.of(new VersionPage.CommonPrefix(KEY), VersionPage.VersionEntry.of(METADATA, true)),
            true));
    roundTrip(
        ResultCodecs.PART_PAGE,
        new PartPage(
            List.of(PART),
            false,
            new UploadDetails(
                Optional.of(ChecksumAlgorithm.CRC32C),
                Optional.of(ChecksumType.FULL_OBJECT),
                "GLACIER",
                Optional.of("user"))));
    roundTrip(
        ResultCodecs.UPLOAD_PAGE,
        new UploadPage(
            List.of(
                new UploadPage.CommonPrefix(KEY),
                new UploadPage.UploadEntry(
                    KEY,
                    "u",
                    5,
                    new UploadDetails(
                        Optional.empty(), Optional.empty(), "STANDARD", Optional.empty()))),
            false));
  }

  @Test
  void theEndOfABodyComesBackAsItWent() throws WireException {
    for (BodyEnd end :
        List.of(
            new BodyEnd.Whole(DeclaredDigests.NONE),
            new BodyEnd.Whole(new DeclaredDigests(Optional.of("0".repeat(32)), List.of(CHECKSUM))),
            new BodyEnd.Broken("the signature is wrong"))) {
      assertThat(BodyEnd.decode(BodyEnd.encode(end))).isEqualTo(end);
    }
  }

  @Test
  void deadlineCrossesAsTheTimeThatRemains() throws WireException {
    TargetRequest<?> sent = WireSamples.requests().get(0).at(1, Deadline.in(Duration.ofSeconds(5)));

    Deadline received = RequestCodec.decode(RequestCodec.encode(sent)).scope().deadline();

    assertThat(received.remainingMs()).isBetween(4_000L, 5_001L);
  }

  @Test
  void deadlineThatHasPassedStaysPassed() throws WireException {
    TargetRequest<?> sent =
        WireSamples.requests().get(0).at(1, Deadline.in(Duration.ofSeconds(-5)));

    assertThat(RequestCodec.decode(RequestCodec.encode(sent)).scope().deadline().hasPassed())
        .isTrue();
  }

  @Test
  void garbageInAContextIsRefusedByName() {
    for (String part : List.of("0123456789ABCDEF", "user-1", "00-0af7651916cd43dd")) {
      byte[] message = RequestCodec.encode(WireSamples.requests().get(0));
      String text = new String(message, ISO_8859_1);
      message[text.indexOf(part)] = '\n';
      assertThatThrownBy(() -> RequestCodec.decode(message))
          .isInstanceOf(WireException.class)
          .hasMessageContaining("call context")
          .hasMessageMatching("(?s).*(request id|user id|traceparent) must be.*");
    }
  }

  @Test
  void anotherVersionIsRefusedByItsNumber() {
    byte[] message = RequestCodec.encode(WireSamples.requests().get(0));
    message[0] = 9;
    assertThatThrownBy(() -> RequestCodec.decode(message))
        .isInstanceOf(WireException.class)
        .hasMessage(
            "request has wire version 9, this release speaks 2; update the older process of the"
                + " two");
  }

  @Test
  void requestOfAnOlderReleaseHasNoContext() throws WireException {
    assertThat(decodeHex("02 17 0b 08 07 10 0c 18 03 00 12 01 6b 23 0f 00 00 2b 00 00 00"))
        .isEqualTo(OLD_HEAD);
  }

  @Test
  void unknownOptionalFieldsOfANewerPeerAreSkipped() throws WireException {
    String inScope = "02 17 0b 08 07 10 0c 18 03 a0 01 05 00 12 01 6b 23 0f 00 00 2b 00 00 00";
    String inRequest = "02 17 0b 08 07 10 0c 18 03 00 12 01 6b 23 0f 00 00 2b 00 a0 01 05 00 00";

    assertThat(decodeHex(inScope)).isEqualTo(OLD_HEAD);
    assertThat(decodeHex(inRequest)).isEqualTo(OLD_HEAD);
  }

  @Test
  void unknownRequiredFieldIsRefusedByItsTagAndItsMessage() {
    String inScope = "02 17 0b 08 07 10 0c 18 03 a4 01 05 00 12 01 6b 23 0f 00 00 2b 00 00 00";
    String inRequest = "02 17 0b 08 07 10 0c 18 03 00 12 01 6b 23 0f 00 00 2b 00 a4 01 05 00 00";

    assertThatThrownBy(() -> decodeHex(inScope))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("Head: scope: field 20 is required and not known to this release");
    assertThatThrownBy(() -> decodeHex(inRequest))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("Head: field 20 is required and not known to this release");
  }

  private static TargetRequest<?> decodeHex(String hex) throws WireException {
    return RequestCodec.decode(HexFormat.ofDelimiter(" ").parseHex(hex));
  }

  @Test
  void everyMessageCutShortOrLengthenedIsRefused() {
    for (byte[] message : messages()) {
      for (int length = 0; length < message.length; length++) {
        byte[] cut = Arrays.copyOf(message, length);
        assertThatThrownBy(() -> RequestCodec.decode(cut)).isInstanceOf(WireException.class);
      }
      byte[] longer = Arrays.copyOf(message, message.length + 1);
      assertThatThrownBy(() -> RequestCodec.decode(longer)).isInstanceOf(WireException.class);
    }
  }

  @Test
  void hostileRequestOfTheGreatestSizeCostsLittleMoreMemoryThanItsBytes() {
    List<String> etags = Collections.nCopies(RequestCodec.BYTES_MAX / 2 - 100, "");
    List<UploadRequest.CompletedPart> parts =
        Collections.nCopies(
            RequestCodec.BYTES_MAX / 6 - 100, new UploadRequest.CompletedPart(1, "", List.of()));
    assertThatItIsRefusedCheaply(
        new TargetRequest.Get(
            WireSamples.SCOPE,
            KEY,
            Optional.empty(),
            Selection.WHOLE,
            new Preconditions(etags, List.of(), OptionalLong.empty(), OptionalLong.empty())),
        "field 1 has more than 100000 values");
    assertThatItIsRefusedCheaply(
        new UploadRequest.Complete(
            WireSamples.SCOPE,
            KEY,
            "u-1",
            parts,
            OptionalLong.empty(),
            Optional.empty(),
            Preconditions.NONE),
        "field 4 has more than 10000 values");
  }

  @ParameterizedTest
  @CsvSource({"5, 0, field 5", ", 1000, field 6"})
  void olderTargetRefusesConditionsOnSizeAndTime(
      @Nullable Long sizeBytes, @Nullable Long modifiedMs, String field) {
    Codec<Integer> older =
        Codec.of(
            "preconditions",
            (out, nothing) -> {},
            in ->
                in.texts(1, 10).size()
                    + in.texts(2, 10).size()
                    + (int) in.number(3, 0)
                    + (int) in.number(4, 0));
    Preconditions conditions =
        new Preconditions(
            List.of(),
            List.of(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            sizeBytes == null ? OptionalLong.empty() : OptionalLong.of(sizeBytes),
            modifiedMs == null ? OptionalLong.empty() : OptionalLong.of(modifiedMs));

    assertThatThrownBy(() -> older.decode(CallCodecs.PRECONDITIONS.encode(conditions)))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining(field);
  }

  private static void assertThatItIsRefusedCheaply(TargetRequest<?> hostile, String problem) {
    byte[] message = RequestCodec.encode(hostile);
    assertThat(message.length).isBetween(RequestCodec.BYTES_MAX / 2, RequestCodec.BYTES_MAX);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> RequestCodec.decode(message))
        .isInstanceOf(WireException.class)
        .hasMessageContaining(problem);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .isLessThan(2L * RequestCodec.BYTES_MAX);
  }

  @Test
  void garbageGivesAWireExceptionOrARequestThatCanBeSentAgain() {
    Random random = new Random(20_240_601);
    List<byte[]> messages = messages();
    for (int round = 0; round < 100_000; round++) {
      byte[] message = messages.get(random.nextInt(messages.size())).clone();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        message[random.nextInt(message.length)] = (byte) random.nextInt(256);
      }
      try {
        TargetRequest<?> request = RequestCodec.decode(message);
        assertThat(RequestCodec.decode(RequestCodec.encode(request)).at(1, Deadline.NONE))
            .isEqualTo(request.at(1, Deadline.NONE));
      } catch (WireException declared) {
        assertThat(declared).hasMessageContaining("request");
      }
    }
  }

  @Test
  void garbageIsNoOutcomeAndNoEndOfABody() {
    Random random = new Random(7);
    byte[] outcome = METADATA_OUTCOME.encode(Outcome.success(METADATA));
    for (int round = 0; round < 100_000; round++) {
      byte[] message = outcome.clone();
      message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      try {
        METADATA_OUTCOME.decode(message);
        BodyEnd.decode(noise);
        new OutcomeCodec<>(ResultCodecs.LIST_PAGE).decode(noise);
        new OutcomeCodec<>(ResultCodecs.VERSION_PAGE).decode(noise);
      } catch (WireException declared) {
        assertThat(declared.getMessage()).isNotEmpty();
      }
    }
  }

  private static <T> void roundTrip(Codec<T> result, T value) throws WireException {
    OutcomeCodec<T> codec = new OutcomeCodec<>(result);
    assertThat(codec.decode(codec.encode(Outcome.success(value))))
        .isEqualTo(Outcome.success(value));
  }

  private static List<byte[]> messages() {
    List<byte[]> messages = new ArrayList<>();
    WireSamples.requests().forEach(request -> messages.add(RequestCodec.encode(request)));
    return messages;
  }
}
