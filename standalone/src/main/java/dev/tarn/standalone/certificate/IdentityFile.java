package dev.tarn.standalone.certificate;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.node.SmallFile;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.transport.tls.MemberIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which a member keeps its identity: its private key, its certificate, then the
 * authorities that it trusts. It is replaced as a whole.
 *
 * @param file in an existing folder
 */
public record IdentityFile(Path file) {
  private static final Logger LOG = LoggerFactory.getLogger(IdentityFile.class);

  public IdentityFile {
    requireNonNull(file, "file is null");
  }

  /** Makes the key pair of a member; the private key stays in this process and its file. */
  public static KeyPair newKeyPair() {
    try {
      return CertificateAuthority.newKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JVM makes no EC keys", e);
    }
  }

  /** Whether others can reach the member at exactly these hosts by this certificate. */
  public static boolean isFor(List<String> hosts, X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      Set<Object> signed =
          names == null ? Set.of() : names.stream().map(name -> name.get(1)).collect(toSet());
      return signed.equals(hosts.stream().map(IdentityFile::asSigned).collect(toSet()));
    } catch (CertificateParsingException e) {
      return false;
    }
  }

  /** The host as the certificate shows it; the JVM writes IPv6 addresses in one form. */
  private static String asSigned(String host) {
    try {
      return host.indexOf(':') < 0 ? host : InetAddress.ofLiteral(host).getHostAddress();
    } catch (IllegalArgumentException e) {
      return host; // The control node refuses to sign for it.
    }
  }

  /** Whether the control node can sign a certificate for this host. */
  public static boolean isSignable(String host) {
    return CertificateAuthority.isHost(host);
  }

  /** When the authority signed this certificate. */
  public static Instant signedAt(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant().plus(CertificateAuthority.BEGINS_EARLIER);
  }

  /**
   * The kept identity; empty if there is none. A file that cannot be decoded is moved aside, since
   * the control node signs a new certificate.
   *
   * @throws StartFailure if the file cannot be read, or others can read the private key
   */
  public Optional<MemberIdentity> read() throws StartFailure {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String text;
    try {
      if (SmallFile.isOpenToEveryone(file)) {
        throw new StartFailure(
            "others can read or change this member's private key; remove "
                + file
                + " to get a new one, or chmod 600 it");
      }
      text = PemFile.text(file);
    } catch (IOException e) {
      throw new StartFailure(
          "reading this member's certificate "
              + file
              + " failed: "
              + FailureHandler.message(e)
              + "; the file stays as it is. Make it readable, or remove it to get a new"
              + " certificate",
          e);
    }
    try {
      return Optional.of(identity(PemFile.parse(text)));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      return unusable(e);
    }
  }

  private static MemberIdentity identity(PemFile pem) throws IOException, GeneralSecurityException {
    if (pem.key().isEmpty() || pem.certificates().size() < 2) {
      throw new IOException("it must hold a private key and at least two certificates");
    }
    MemberIdentity identity =
        new MemberIdentity(
            pem.key().orElseThrow(),
            pem.certificates().subList(0, 1),
            pem.certificates().subList(1, pem.certificates().size()));
    if (!PemFile.isPairOf(identity.key(), identity.chain().get(0).getPublicKey())) {
      throw new IOException("its private key does not belong to its first certificate");
    }
    return identity;
  }

  private Optional<MemberIdentity> unusable(Exception cause) throws StartFailure {
    Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
    try {
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new StartFailure("the member's certificate " + file + " cannot be moved aside", e);
    }
    LOG.warn(
        "reading this member's certificate failed: {}; the file was moved to {}, and a new"
            + " certificate is requested from the control node",
        cause.toString(),
        aside);
    return Optional.empty();
  }

  /** Replaces the file durably. */
  public void write(MemberIdentity identity) throws IOException {
    new PemFile(
            Optional.of(identity.key()),
            Stream.concat(Stream.of(identity.chain().get(0)), identity.authorities().stream())
                .toList())
        .write(file);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
