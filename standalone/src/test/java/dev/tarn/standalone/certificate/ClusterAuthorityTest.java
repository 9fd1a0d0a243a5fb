package dev.tarn.standalone.certificate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.CertificateIssuer;
import dev.tarn.cluster.control.remote.CertificateIssuer.Issued;
import dev.tarn.cluster.control.remote.CertificateIssuer.Wish;
import dev.tarn.fixtures.tls.TestCertificate;
import dev.tarn.gateway.GatewayConfig.TlsFiles;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster's certificate authority: made, given, replaced; what it signs. */
class ClusterAuthorityTest {
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
  private static final Duration LIFE = Duration.ofDays(30);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path directory;
  private Instant now = START;
  private final InstantSource clock = () -> now;

  private ClusterAuthority open() throws StartFailure {
    return open("ca", Optional.empty());
  }

  private ClusterAuthority open(String folder, Optional<TlsFiles> given) throws StartFailure {
    return ClusterAuthority.open(directory.resolve(folder), given, LIFE, clock);
  }

  /** The files of the authority that another cluster has made. */
  private Path authorityOf(String cluster) throws StartFailure {
    open(cluster, Optional.empty());
    return directory.resolve(cluster).resolve("own.pem");
  }

  private static Optional<TlsFiles> given(Path certificates, Path key) {
    return Optional.of(new TlsFiles(certificates, key));
  }

  private static Issued issue(CertificateIssuer authority, Audience audience, String... hosts)
      throws CertificateIssuer.RefusedException {
    Wish wish = new Wish(IdentityFile.newKeyPair().getPublic(), List.of(hosts));
    return authority.issue(audience, Optional.of(wish));
  }

  private static X509Certificate target(CertificateIssuer authority, String... hosts)
      throws CertificateIssuer.RefusedException {
    return issue(authority, Audience.TARGET, hosts).certificate().orElseThrow();
  }

  /** Verifies a certificate as another member does. */
  private void verify(X509Certificate certificate, X509Certificate trusted)
      throws GeneralSecurityException {
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(trusted, null)));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(now));
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)),
            parameters);
  }

  @Test
  void firstStartMakesAnAuthorityThatLaterStartsKeep() throws Exception {
    X509Certificate made = issue(open(), Audience.GATEWAY).authorities().get(0);
    Issued later = issue(open(), Audience.GATEWAY);

    assertThat(later.authorities()).containsExactly(made);
    verify(later.certificate().orElseThrow(), made);
    assertThat(made.getNotAfter().toInstant()).isAfter(START.plus(Duration.ofDays(3_000)));
    Path file = directory.resolve("ca/own.pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void certificateOfATargetNamesItsHostsAndServesBothSides() throws Exception {
    X509Certificate signed = target(open(), "tarn-0.example.org", "10.0.0.7", "fd00::7");

    assertThat(signed.getSubjectAlternativeNames())
        .map(name -> (Object) name.get(1))
        .containsExactlyInAnyOrder("tarn-0.example.org", "10.0.0.7", "fd00:0:0:0:0:0:0:7");
    assertThat(signed.getExtendedKeyUsage()).containsExactlyInAnyOrder(SERVER, CLIENT);
    assertThat(signed.getBasicConstraints()).as("it signs nothing").isEqualTo(-1);
    assertThat(signed.getNotAfter().toInstant()).isEqualTo(START.plus(LIFE));
    assertThat(signed.getNotBefore().toInstant())
        .as("clocks of members differ")
        .isEqualTo(START.minus(Duration.ofMinutes(10)));
  }

  @Test
  void certificateOfAGatewayServesNobody() throws Exception {
    X509Certificate signed = issue(open(), Audience.GATEWAY).certificate().orElseThrow();

    assertThat(signed.getExtendedKeyUsage()).containsExactly(CLIENT);
    assertThat(signed.getSubjectAlternativeNames()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a host",
        "*.example.org",
        "fd00::x",
        "1.2.3.400",
        "010.0.0.1",
        "a..b",
        "a/b",
        "target_0",
        "localhost.",
        "-a",
        "a-.org"
      })
  void hostThatIsNeitherNameNorAddressIsRefused(String host) throws Exception {
    ClusterAuthority authority = open();

    assertThatThrownBy(() -> target(authority, host))
        .isInstanceOf(CertificateIssuer.RefusedException.class)
        .hasMessageContaining("the host '" + host + "'");
  }

  @Test
  void givenAuthoritySigns() throws Exception {
    Path files = authorityOf("other");

    Issued issued = issue(open("ca", given(files, files)), Audience.TARGET, "localhost");

    verify(issued.certificate().orElseThrow(), PemFile.read(files).certificates().get(0));
    assertThat(directory.resolve("ca/own.pem")).doesNotExist();
  }

  @Test
  void givenKeyThatDoesNotFitIsRefusedWithBothFiles() throws Exception {
    Path certificate = authorityOf("one");
    Path key = authorityOf("two");

    assertThatThrownBy(() -> open("ca", given(certificate, key)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContainingAll(certificate.toString(), key.toString(), "does not belong");
  }

  @Test
  void givenKeyThatOthersCanReadIsRefused() throws Exception {
    Path files = authorityOf("other");
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> open("ca", given(files, files)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("chmod 600 " + files);
  }

  @Test
  void givenKeyThatItsGroupCanChangeIsRefusedInOneFileToo() throws Exception {
    Path files = authorityOf("other");
    Files.setPosixFilePermissions(files, PosixFilePermissions.fromString("rw-rw----"));

    assertThatThrownBy(() -> open("ca", given(files, files)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("chmod 600 " + files);
  }

  @Test
  void ownKeyThatOthersCanReadIsRefused() throws Exception {
    Path file = authorityOf("ca");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----r--"));

    assertThatThrownBy(this::open)
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("chmod 600 " + file);
  }

  @Test
  void certificateOfAServerIsNoAuthority() throws Exception {
    TestCertificate server = TestCertificate.in(directory);
    Files.setPosixFilePermissions(server.key(), PosixFilePermissions.fromString("rw-------"));

    assertThatThrownBy(() -> open("ca", given(server.chain(), server.key())))
        .isInstanceOf(StartFailure.class)
        .hasMessageContainingAll(server.chain().toString(), "not that of a certificate authority");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "garbage \u00ff\u0000",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\n"
      })
  void fileThatCannotBeDecodedIsNamed(String content) throws Exception {
    Path file = authorityOf("ca");
    Files.write(file, content.getBytes(ISO_8859_1));

    assertThatThrownBy(this::open)
        .isInstanceOf(StartFailure.class)
        .hasMessageContainingAll(file.toString(), "cannot be used");
  }

  @Test
  void membersTrustAReplacedAuthorityUntilWhatItSignedHasEnded() throws Exception {
    ClusterAuthority before = open();
    X509Certificate signedBefore = target(before, "localhost");
    now = now.plus(Duration.ofDays(1));
    Path files = authorityOf("other");

    ClusterAuthority after = open("ca", given(files, files));
    List<X509Certificate> both = issue(after, Audience.GATEWAY).authorities();
    assertThat(both).hasSize(2);
    verify(target(after, "localhost"), both.get(0));
    verify(signedBefore, both.get(1));
    assertThat(issue(open("ca", given(files, files)), Audience.GATEWAY).authorities())
        .as("after another start")
        .isEqualTo(both);

    now = now.plus(LIFE).plusSeconds(1);
    assertThat(issue(after, Audience.GATEWAY).authorities()).containsExactly(both.get(0));
    assertThat(issue(open("ca", given(files, files)), Audience.GATEWAY).authorities())
        .containsExactly(both.get(0));
  }

  @Test
  void replacedAuthorityIsTrustedForTheLifeThatItSignedWith() throws Exception {
    X509Certificate before = target(open(), "localhost");
    Path folder = directory.resolve("ca");
    Path files = authorityOf("other");
    Duration shorter = Duration.ofDays(1);
    ClusterAuthority.open(folder, Optional.empty(), shorter, clock);
    ClusterAuthority after = ClusterAuthority.open(folder, given(files, files), shorter, clock);

    now = before.getNotAfter().toInstant().minusSeconds(1);
    verify(before, issue(after, Audience.GATEWAY).authorities().get(1));
  }

  @Test
  void authorityThatComesBackIsTrustedOnce() throws Exception {
    X509Certificate own = issue(open(), Audience.GATEWAY).authorities().get(0);
    Path files = authorityOf("other");
    open("ca", given(files, files));

    assertThat(issue(open(), Audience.GATEWAY).authorities())
        .containsExactly(own, PemFile.read(files).certificates().get(0));
  }

  @Test
  void ownAuthorityIsReplacedAtAStartInItsLastYear() throws Exception {
    X509Certificate first = issue(open(), Audience.GATEWAY).authorities().get(0);
    now = first.getNotAfter().toInstant().minus(Duration.ofDays(300));

    List<X509Certificate> both = issue(open(), Audience.GATEWAY).authorities();
    assertThat(both).hasSize(2).last().isEqualTo(first);
    assertThat(both.get(0).getNotAfter()).isAfter(first.getNotAfter());
  }

  @Test
  void noCertificateOutlivesItsAuthority() throws Exception {
    ClusterAuthority authority = open();
    Instant end = issue(authority, Audience.GATEWAY).authorities().get(0).getNotAfter().toInstant();

    now = end.minus(Duration.ofDays(1));
    assertThat(target(authority, "localhost").getNotAfter().toInstant()).isEqualTo(end);
    now = end;
    assertThatThrownBy(() -> target(authority, "localhost"))
        .isInstanceOf(CertificateIssuer.RefusedException.class)
        .hasMessageContaining("ended at " + end);
  }

  @Test
  void authoritiesAloneAreToldWithoutACertificate() throws Exception {
    Issued told = open().issue(Audience.GATEWAY, Optional.empty());

    assertThat(told.certificate()).isEmpty();
    assertThat(told.authorities()).hasSize(1);
  }

  @Test
  void folderThatCannotBeWrittenIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("ca"));

    assertThatThrownBy(this::open)
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(file.toString());
  }
}
