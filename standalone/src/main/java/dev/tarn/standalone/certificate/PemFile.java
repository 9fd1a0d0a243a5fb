package dev.tarn.standalone.certificate;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * The content of a PEM file.
 *
 * @param key the first private key; empty if there is none
 * @param certificates in the order of the file
 */
record PemFile(Optional<PrivateKey> key, List<X509Certificate> certificates) {
  /** The greatest size of a file; a certificate has some 1 KiB. */
  private static final int BYTES_MAX = 1 << 20;

  PemFile {
    certificates = List.copyOf(certificates);
  }

  /** Reads the text of a file. PEM is ASCII; in ISO 8859-1 every byte is a character. */
  static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BYTES_MAX + 1), StandardCharsets.ISO_8859_1);
    }
  }

  /**
   * Decodes the text of a file. The method skips parts other than private keys and certificates.
   *
   * @param file for messages
   * @throws IOException if a part cannot be decoded
   */
  static PemFile parse(Path file, String text) throws IOException {
    if (text.length() > BYTES_MAX) {
      throw new IOException(file + " has more than " + BYTES_MAX + " bytes");
    }
    Optional<PrivateKey> key = Optional.empty();
    List<X509Certificate> certificates = new ArrayList<>();
    JcaPEMKeyConverter keys = new JcaPEMKeyConverter();
    try (PEMParser parser = new PEMParser(Reader.of(text))) {
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof X509CertificateHolder certificate) {
          certificates.add(new JcaX509CertificateConverter().getCertificate(certificate));
        } else if (key.isEmpty() && part instanceof PrivateKeyInfo found) {
          key = Optional.of(keys.getPrivateKey(found));
        } else if (key.isEmpty() && part instanceof PEMKeyPair pair) {
          key = Optional.of(keys.getPrivateKey(pair.getPrivateKeyInfo()));
        }
      }
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new IOException(file + " cannot be decoded: " + e.getMessage(), e);
    }
    return new PemFile(key, certificates);
  }

  /** Whether this private key belongs to this public key. */
  static boolean isPairOf(PrivateKey key, PublicKey shown) throws GeneralSecurityException {
    byte[] challenge = {1};
    Signature signature = Signature.getInstance(signatureAlgorithm(key));
    try {
      signature.initSign(key);
      signature.update(challenge);
      byte[] signed = signature.sign();
      signature.initVerify(shown);
      signature.update(challenge);
      return signature.verify(signed);
    } catch (java.security.InvalidKeyException | SignatureException e) {
      return false; // Another algorithm or curve.
    }
  }

  /** The algorithm by which this key signs; fails for keys of other kinds than RSA and EC. */
  static String signatureAlgorithm(PrivateKey key) throws GeneralSecurityException {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default ->
          throw new GeneralSecurityException(
              "the private key is of the kind " + key.getAlgorithm() + ", must be EC or RSA");
    };
  }
}
