package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.fixtures.TestAuthority;
import dev.tarn.standalone.certificate.DerivedIdentity;
import dev.tarn.standalone.certificate.IdentityFiles;
import dev.tarn.standalone.config.ClusterConfig.MemberTlsFiles;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.transport.tls.MemberIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** How a member gets and renews its certificate. */
class OwnIdentityTest {
  private static final String HOST = "tarn-0.example.org";
  private static final byte[] FIRST = secret(1);
  private static final byte[] SECOND = secret(2);

  @TempDir private Path directory;
  private final Logger logger = (Logger) LoggerFactory.getLogger(OwnIdentity.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private Instant now = Instant.now();
  private final InstantSource clock = () -> now;

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
  }

  private static byte[] secret(int fill) {
    byte[] secret = new byte[ClusterSecrets.SECRET_BYTES_MIN];
    Arrays.fill(secret, (byte) fill);
    return secret;
  }

  private List<String> errors() {
    return lines.list.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains("failed"))
        .toList();
  }

  private void passes(Duration time, OwnIdentity member) {
    now = now.plus(time);
    member.step();
  }

  private OwnIdentity member(ClusterSecrets secrets, String... hosts) throws Exception {
    return new OwnIdentity(new DerivedIdentity(secrets, List.of(hosts), clock), clock);
  }

  private static X509Certificate certificate(OwnIdentity member) {
    return member.tls().identity().chain().get(0);
  }

  /** Whether one member trusts the certificate that the other shows, as TLS does. */
  private boolean trusts(OwnIdentity member, OwnIdentity other) throws GeneralSecurityException {
    PKIXParameters parameters =
        new PKIXParameters(
            member.tls().identity().authorities().stream()
                .map(authority -> new TrustAnchor(authority, null))
                .collect(Collectors.toSet()));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(now));
    try {
      CertPathValidator.getInstance("PKIX")
          .validate(
              CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate(other))),
              parameters);
      return true;
    } catch (CertPathValidatorException e) {
      return false;
    }
  }

  @Test
  void membersOfOneSecretTrustEachOther() throws Exception {
    OwnIdentity target = member(ClusterSecrets.of(FIRST), HOST, "fd00::7");
    OwnIdentity gateway = member(ClusterSecrets.of(FIRST));
    OwnIdentity stranger = member(ClusterSecrets.of(SECOND), HOST);
    assertThat(trusts(gateway, target)).isTrue();
    assertThat(trusts(target, gateway)).isTrue();
    assertThat(trusts(gateway, stranger)).isFalse();
    assertThat(trusts(stranger, gateway)).isFalse();
    assertThat(certificate(target).getSubjectAlternativeNames())
        .map(name -> (Object) name.get(1))
        .containsExactly(HOST, "fd00:0:0:0:0:0:0:7");
    assertThat(certificate(gateway).getExtendedKeyUsage())
        .as("a gateway only calls others")
        .hasSize(1);
    assertThat(target.tls().identity().key()).isNotEqualTo(gateway.tls().identity().key());
  }

  /** Members of different releases must derive the same authority. */
  @Test
  void authorityOfASecretIsFixed() throws Exception {
    OwnIdentity member = member(ClusterSecrets.of(FIRST));
    assertThat(certificate(member).getIssuerX500Principal().getName())
        .isEqualTo("CN=Tarn cluster 914f390a85aff4a7");
  }

  @Test
  void everyMemberHasTheSameCertificateOfTheAuthority() throws Exception {
    OwnIdentity one = member(ClusterSecrets.of(FIRST));
    OwnIdentity other = member(ClusterSecrets.of(FIRST));
    assertThat(one.tls().authorities()).isEqualTo(other.tls().authorities());
  }

  @Test
  void membersTrustTheAuthoritiesOfAllSecretsThatTheyKnow() throws Exception {
    Map<String, byte[]> both = Map.of("1", FIRST, "2", SECOND);
    OwnIdentity before = member(new ClusterSecrets("1", both));
    OwnIdentity after = member(new ClusterSecrets("2", both));
    assertThat(trusts(before, after)).isTrue();
    assertThat(trusts(after, before)).isTrue();
    assertThat(certificate(before).getIssuerX500Principal())
        .isNotEqualTo(certificate(after).getIssuerX500Principal());
  }

  @Test
  void certificateIsRenewedAfterTwoThirdsOfItsLifeWithANewKey() throws Exception {
    OwnIdentity member = member(ClusterSecrets.of(FIRST), HOST);
    MemberIdentity first = member.tls().identity();
    assertThat(member.lifeLeft()).isCloseTo(1, within(0.01));

    passes(Duration.ofHours(16).minusSeconds(1), member);
    assertThat(member.tls().identity()).isEqualTo(first);
    assertThat(member.lifeLeft()).isCloseTo(1.0 / 3, within(0.01));

    passes(Duration.ofSeconds(1), member);
    assertThat(certificate(member).getNotAfter().toInstant())
        .isCloseTo(now.plus(DerivedIdentity.LIFE), within(Duration.ofSeconds(1)));
    assertThat(member.tls().identity().key()).isNotEqualTo(first.key());
    assertThat(member.lifeLeft()).isCloseTo(1, within(0.01));
    assertThat(errors()).isEmpty();
  }

  @Test
  void clockThatWasSetBackRenewsTheCertificate() throws Exception {
    OwnIdentity member = member(ClusterSecrets.of(FIRST), HOST);
    passes(Duration.ofDays(-40), member);

    assertThat(certificate(member).getNotBefore().toInstant()).isBefore(now);
  }

  @ParameterizedTest
  @ValueSource(strings = {"not a host", "a_b", "host.", "10.0.0.07", "fd00::zz", "1.2.3"})
  void hostThatNoCertificateCanNameIsRefusedAtTheStart(String host) {
    assertThatThrownBy(() -> member(ClusterSecrets.of(FIRST), host))
        .isInstanceOf(StartFailure.class)
        .hasMessageContainingAll("the host '" + host + "'", "set cluster.advertise");
  }

  private MemberTlsFiles files() {
    return new MemberTlsFiles(
        directory.resolve("tls.crt"), directory.resolve("tls.key"), directory.resolve("ca.crt"));
  }

  private OwnIdentity given() throws StartFailure {
    return new OwnIdentity(new IdentityFiles(files()), clock);
  }

  private void write(TestAuthority authority, TestAuthority.Issued issued) throws IOException {
    pem(files().certificateChain(), "CERTIFICATE", encoded(issued.certificate()));
    pem(files().authorities(), "CERTIFICATE", encoded(authority.certificate()));
    pem(files().privateKey(), "PRIVATE KEY", issued.key().getEncoded());
    Files.setPosixFilePermissions(
        files().privateKey(), PosixFilePermissions.fromString("rw-r-----"));
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Certificate has no encoding", e);
    }
  }

  private static void pem(Path file, String kind, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  @Test
  void givenFilesAreReadAgainWhenTheyChange() throws Exception {
    TestAuthority authority = new TestAuthority("operator");
    TestAuthority.Issued first = authority.issue(HOST);
    TestAuthority.Issued second = authority.issue(HOST);
    write(authority, first);
    OwnIdentity member = given();
    assertThat(certificate(member)).isEqualTo(first.certificate());
    assertThat(member.tls().identity().authorities()).isEqualTo(authority.alone());

    passes(Duration.ofMinutes(1), member);
    assertThat(certificate(member)).isEqualTo(first.certificate());

    write(authority, second);
    passes(Duration.ofMinutes(1), member);
    assertThat(certificate(member)).isEqualTo(second.certificate());
    assertThat(errors()).isEmpty();
  }

  @Test
  void changedFilesThatCannotBeUsedAreLoggedOnceAndThePresentCertificateStays() throws Exception {
    TestAuthority authority = new TestAuthority("operator");
    TestAuthority.Issued first = authority.issue(HOST);
    write(authority, first);
    OwnIdentity member = given();
    Files.writeString(files().certificateChain(), "-----BEGIN CERTIFICATE-----\nA");
    passes(Duration.ofMinutes(1), member);
    passes(Duration.ofMinutes(1), member);

    assertThat(errors()).hasSize(1).first().asString().contains("tls.crt");
    assertThat(certificate(member)).isEqualTo(first.certificate());

    TestAuthority.Issued second = authority.issue(HOST);
    write(authority, second);
    passes(Duration.ofMinutes(1), member);
    assertThat(certificate(member)).isEqualTo(second.certificate());
  }

  @Test
  void givenCertificateThatEndsIsLoggedOnce() throws Exception {
    TestAuthority authority = new TestAuthority("operator");
    write(authority, authority.issue(now.plusSeconds(90), HOST));
    OwnIdentity member = given();
    passes(Duration.ofMinutes(1), member);
    assertThat(errors()).isEmpty();

    passes(Duration.ofMinutes(1), member);
    passes(Duration.ofMinutes(1), member);
    assertThat(errors()).hasSize(1);
    assertThat(member.lifeLeft()).isZero();
  }

  @Test
  void givenFilesThatCannotBeUsedAreRefusedAtTheStart() throws Exception {
    TestAuthority authority = new TestAuthority("operator");
    assertThatThrownBy(this::given)
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("tls.crt");

    write(authority, authority.issue(HOST));
    pem(files().privateKey(), "PRIVATE KEY", authority.issue(HOST).key().getEncoded());
    assertThatThrownBy(this::given)
        .hasMessageContaining("does not belong to the first certificate of");

    write(authority, authority.issue(HOST));
    Files.setPosixFilePermissions(
        files().privateKey(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(this::given).hasMessageContainingAll("others can read", "tls.key");
  }
}
