package dev.tarn.standalone.certificate;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.CertificateIssuer;
import dev.tarn.gateway.GatewayConfig.TlsFiles;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.node.SmallFile;
import dev.tarn.standalone.node.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate authority of the cluster, on the control node. It is made at the first start and
 * kept in a folder, or given by the configuration. The folder also keeps the certificates of
 * authorities that signed before: members trust these until what they signed has ended.
 *
 * <p>An authority of our own is replaced at a start in the last year of its ten. The files:
 *
 * <ul>
 *   <li>{@code own.pem}: private key and certificate of our own authority
 *   <li>{@code signer.pem}: the certificate of the authority that signs, own or given
 *   <li>{@code signer-life}: the longest life of certificates that this authority signs, as ISO
 *       8601
 *   <li>{@code previous-UNTIL.pem}: the certificate of one that signed before, with the second
 *       since 1970 until which members trust it
 * </ul>
 */
public final class ClusterAuthority implements CertificateIssuer {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterAuthority.class);
  private static final Duration OWN_RENEWED_BEFORE = Duration.ofDays(365);
  private static final Duration WARNED_BEFORE = Duration.ofDays(90);
  private static final Duration WARNED_EVERY = Duration.ofDays(1);
  private static final String PREVIOUS = "previous-";
  private static final String PEM = ".pem";

  private final CertificateAuthority signer;
  private final boolean given;
  private final List<Previous> previous;
  private final Duration life;
  private final InstantSource clock;
  private Instant warnedAgain = Instant.MIN;

  /** An authority that signed before, and until when members trust it. */
  private record Previous(X509Certificate certificate, Instant until) {}

  private ClusterAuthority(
      CertificateAuthority signer,
      boolean given,
      List<Previous> previous,
      Duration life,
      InstantSource clock) {
    this.signer = signer;
    this.given = given;
    this.previous = List.copyOf(previous);
    this.life = requireNonNull(life, "life is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * Opens the given authority, or the own one; the first start makes it.
   *
   * @param folder of the authority's files, created if missing
   * @param given the files of an authority that the configuration names
   * @param life of the certificates of members
   * @throws StartFailure if a file cannot be used, or others can read a private key
   */
  public static ClusterAuthority open(
      Path folder, Optional<TlsFiles> given, Duration life, InstantSource clock)
      throws StartFailure {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Instant now = clock.instant();
      CertificateAuthority signer =
          given.isPresent() ? given(given.orElseThrow()) : own(folder.resolve("own.pem"), now);
      keepPrevious(folder, signer.certificate(), now, life);
      List<Previous> previous = previous(folder, signer.certificate(), now);
      return new ClusterAuthority(signer, given.isPresent(), previous, life, clock);
    } catch (IOException | GeneralSecurityException e) {
      throw new StartFailure(
          "the certificate authority in " + folder + " failed: " + FailureHandler.message(e), e);
    }
  }

  private static CertificateAuthority own(Path file, Instant now)
      throws IOException, GeneralSecurityException, StartFailure {
    if (Files.exists(file)) {
      CertificateAuthority kept = read(file, file, SmallFile.isOpenToEveryone(file));
      if (kept.certificate().getNotAfter().toInstant().isAfter(now.plus(OWN_RENEWED_BEFORE))) {
        return kept;
      }
    }
    CertificateAuthority made = CertificateAuthority.make(now);
    new PemFile(Optional.of(made.key()), List.of(made.certificate())).write(file);
    LOG.info(
        "made the cluster's certificate authority {}: {}, until {}; back up this file",
        name(made.certificate()),
        file,
        made.certificate().getNotAfter().toInstant());
    return made;
  }

  private static CertificateAuthority given(TlsFiles files) throws StartFailure {
    Path key = files.privateKey();
    CertificateAuthority authority;
    try {
      authority = read(files.certificateChain(), key, SmallFile.isOpenToOthers(key));
    } catch (IOException e) {
      throw unusable(key, e);
    }
    X509Certificate certificate = authority.certificate();
    boolean[] usage = certificate.getKeyUsage();
    int signsCertificates = 5; // KeyUsage.keyCertSign in RFC 5280
    if (certificate.getBasicConstraints() < 0 || (usage != null && !usage[signsCertificates])) {
      throw new StartFailure(
          "control.ca.certificate-chain is "
              + files.certificateChain()
              + ", whose first certificate "
              + name(certificate)
              + " is not that of a certificate authority; give one with CA:TRUE and keyCertSign");
    }
    return authority;
  }

  private static CertificateAuthority read(Path certificates, Path key, boolean isOpen)
      throws StartFailure {
    if (isOpen) {
      throw new StartFailure(
          "others can read or change the private key of the certificate authority; chmod 600 "
              + key);
    }
    List<X509Certificate> chain = pem(certificates).certificates();
    if (chain.isEmpty()) {
      throw unusable(certificates, new IOException("it holds no certificate"));
    }
    CertificateAuthority authority =
        new CertificateAuthority(
            pem(key)
                .key()
                .orElseThrow(() -> unusable(key, new IOException("it holds no private key"))),
            chain.get(0));
    try {
      if (!PemFile.isPairOf(authority.key(), chain.get(0).getPublicKey())) {
        throw new StartFailure(
            "the private key in "
                + key
                + " does not belong to the certificate "
                + name(chain.get(0))
                + " in "
                + certificates
                + "; give the two files of one certificate authority");
      }
    } catch (GeneralSecurityException e) {
      throw unusable(key, e);
    }
    return authority;
  }

  private static PemFile pem(Path file) throws StartFailure {
    try {
      return PemFile.read(file);
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  private static StartFailure unusable(Path file, Exception cause) {
    return new StartFailure(
        "the certificate authority's file "
            + file
            + " cannot be used: "
            + FailureHandler.message(cause)
            + "; give PEM files of a certificate and its private key, or restore them from a"
            + " backup",
        cause);
  }

  /**
   * Notes who signs now, and the longest life of what it signs. If another authority signed before,
   * keeps that one's certificate for the longest life of what that one signed.
   */
  private static void keepPrevious(Path folder, X509Certificate signer, Instant now, Duration life)
      throws IOException, StartFailure {
    Path file = folder.resolve("signer" + PEM);
    Path longest = folder.resolve("signer-life");
    if (Files.exists(file)) {
      List<X509Certificate> before = pem(file).certificates();
      Duration lifeBefore = lifeMax(longest, life);
      if (before.contains(signer)) {
        SmallFile.write(longest, lifeBefore + "\n");
        return;
      }
      Instant trustedUntil = now.plus(lifeBefore);
      PemFile kept = new PemFile(Optional.empty(), before);
      kept.write(folder.resolve(PREVIOUS + trustedUntil.getEpochSecond() + PEM));
      LOG.info(
          "the certificate authority {} takes the place of {}; members trust both until {}",
          name(signer),
          before.stream().map(ClusterAuthority::name).toList(),
          trustedUntil);
    }
    new PemFile(Optional.empty(), List.of(signer)).write(file);
    SmallFile.write(longest, life + "\n");
  }

  /** The longer of the life in the file and the present one. */
  private static Duration lifeMax(Path file, Duration present) throws IOException, StartFailure {
    if (!Files.exists(file)) {
      return present;
    }
    try {
      Duration kept = Duration.parse(Files.readString(file).strip());
      return kept.compareTo(present) > 0 ? kept : present;
    } catch (DateTimeParseException e) {
      throw new StartFailure(
          file + " holds no duration; write the longest control.certificate-life into it, as P30D",
          e);
    }
  }

  /** The authorities that signed before; deletes the files of those whose time has passed. */
  private static List<Previous> previous(Path folder, X509Certificate signer, Instant now)
      throws IOException, StartFailure {
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files =
          entries
              .filter(file -> file.getFileName().toString().matches(PREVIOUS + "\\d{1,15}\\.pem"))
              .sorted()
              .toList();
    }
    List<Previous> previous = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      Instant until =
          Instant.ofEpochSecond(
              Long.parseLong(name.substring(PREVIOUS.length(), name.length() - PEM.length())));
      if (until.isBefore(now)) {
        Files.delete(file);
        continue;
      }
      for (X509Certificate certificate : pem(file).certificates()) {
        if (!certificate.equals(signer)) {
          previous.add(new Previous(certificate, until));
        }
      }
    }
    if (previous.size() >= Issued.AUTHORITIES_MAX) {
      throw new StartFailure(
          "members would trust "
              + (previous.size() + 1)
              + " certificate authorities, limit "
              + Issued.AUTHORITIES_MAX
              + "; delete the oldest "
              + folder.resolve(PREVIOUS + "*" + PEM));
    }
    return previous;
  }

  /** The certificates that members trust: the signer's first, then those that signed before. */
  private List<X509Certificate> trusted(Instant now) {
    return Stream.concat(
            Stream.of(signer.certificate()),
            previous.stream()
                .filter(each -> each.until().isAfter(now))
                .map(Previous::certificate)
                .distinct())
        .toList();
  }

  @Override
  public Issued issue(Audience audience, Optional<Wish> wish) throws RefusedException {
    Instant now = clock.instant();
    Instant end = signer.certificate().getNotAfter().toInstant();
    warnOfEnd(now, end);
    if (wish.isEmpty()) {
      return new Issued(Optional.empty(), trusted(now));
    }
    if (!end.isAfter(now)) {
      throw new RefusedException(
          "no certificate can be signed: the certificate authority "
              + name(signer.certificate())
              + " of the control node ended at "
              + end
              + "; replace it");
    }
    Instant wanted = now.plus(life);
    try {
      X509Certificate signed =
          signer.sign(audience, wish.orElseThrow(), now, wanted.isBefore(end) ? wanted : end);
      return new Issued(Optional.of(signed), trusted(now));
    } catch (GeneralSecurityException | IOException e) {
      throw new RefusedException("no certificate can be signed: " + FailureHandler.message(e), e);
    }
  }

  private synchronized void warnOfEnd(Instant now, Instant end) {
    if (end.isAfter(now.plus(WARNED_BEFORE)) || now.isBefore(warnedAgain)) {
      return;
    }
    warnedAgain = now.plus(WARNED_EVERY);
    LOG.warn(
        "the certificate authority {} ends at {}; {}",
        name(signer.certificate()),
        end,
        given
            ? "give the control node a new one by control.ca"
            : "restart the control node, which makes a new one");
  }

  private static String name(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }
}
