package dev.tarn.standalone.certificate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.HMacDSAKCalculator;
import org.bouncycastle.crypto.signers.StandardDSAEncoding;
import org.bouncycastle.operator.ContentSigner;

/**
 * The certificate authority of a cluster. Every member derives its key pair from the cluster
 * secret, and signs a certificate for itself: whoever knows the secret is a member, so nobody needs
 * to be asked. The authority lives as long as the secret.
 *
 * <p>The private key is {@code 1 + (HKDF-SHA256(secret, 48 bytes) mod (n - 1))}, where n is the
 * order of P-256. Its 128 bits more than n has make the remainder uniform (FIPS 186-5, A.2.1).
 */
record ClusterAuthority(PrivateKey key, X509Certificate certificate) {
  private static final byte[] PURPOSE = "tarn cluster authority, P-256".getBytes(US_ASCII);
  private static final String CURVE = "secp256r1";
  private static final int DERIVED_BYTES = 48;
  private static final int NAME_BYTES = 8;
  private static final int SERIAL_BITS = 127;
  private static final Instant BEGIN = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Certificates begin earlier than they are signed, since the clocks of members differ. */
  private static final Duration BEGINS_EARLIER = Duration.ofMinutes(10);

  /** Addresses without leading zeros, which certificates do not keep. */
  private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

  private static final String LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

  /** Names that Java clients accept in certificates; the last label is no number. */
  private static final Pattern NAME =
      Pattern.compile("(?=.{1,253}$)(?!(.*\\.)?\\d+$)" + LABEL + "(\\." + LABEL + ")*");

  /** A member's private key and the certificate that the authority signed for it. */
  record Signed(PrivateKey key, X509Certificate certificate) {}

  /** Derives the authority of a secret. */
  static ClusterAuthority of(SecretKey secret) throws GeneralSecurityException, IOException {
    KeyPair pair = derived(secret);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(pair.getPublic().getEncoded());
    X500Principal name =
        new X500Principal(
            "CN=Tarn cluster " + HexFormat.of().formatHex(Arrays.copyOf(digest, NAME_BYTES)));
    // The same serial number in every member: some verifiers find authorities by it.
    JcaX509v3CertificateBuilder builder =
        builder(name, BigInteger.ONE, BEGIN, END, name, pair.getPublic());
    builder
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign))
        .addExtension(
            Extension.subjectKeyIdentifier,
            false,
            new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
    return new ClusterAuthority(pair.getPrivate(), signed(builder, pair.getPrivate()));
  }

  private static KeyPair derived(SecretKey secret) throws GeneralSecurityException {
    byte[] bytes =
        KDF.getInstance("HKDF-SHA256")
            .deriveData(
                HKDFParameterSpec.ofExtract().addIKM(secret).thenExpand(PURPOSE, DERIVED_BYTES));
    X9ECParameters curve = CustomNamedCurves.getByName(CURVE);
    BigInteger scalar =
        new BigInteger(1, bytes).mod(curve.getN().subtract(BigInteger.ONE)).add(BigInteger.ONE);
    var point = curve.getG().multiply(scalar).normalize();
    AlgorithmParameters named = AlgorithmParameters.getInstance("EC");
    named.init(new ECGenParameterSpec(CURVE));
    ECParameterSpec parameters = named.getParameterSpec(ECParameterSpec.class);
    ECPoint shown =
        new ECPoint(point.getAffineXCoord().toBigInteger(), point.getAffineYCoord().toBigInteger());
    KeyFactory keys = KeyFactory.getInstance("EC");
    return new KeyPair(
        keys.generatePublic(new ECPublicKeySpec(shown, parameters)),
        keys.generatePrivate(new ECPrivateKeySpec(scalar, parameters)));
  }

  /**
   * Makes a key pair and signs a certificate for it.
   *
   * @param hosts at which others reach the member; empty for a member that only calls others
   * @throws IllegalArgumentException if one of the hosts is neither a name nor an address
   */
  Signed sign(List<String> hosts, Instant now, Duration life)
      throws GeneralSecurityException, IOException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(CURVE), RANDOM);
    KeyPair pair = generator.generateKeyPair();
    JcaX509v3CertificateBuilder builder =
        builder(
            certificate.getSubjectX500Principal(),
            new BigInteger(SERIAL_BITS, RANDOM).add(BigInteger.ONE),
            now.minus(BEGINS_EARLIER),
            now.plus(life),
            new X500Principal(hosts.isEmpty() ? "CN=Tarn gateway" : "CN=Tarn target"),
            pair.getPublic());
    builder
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
        .addExtension(Extension.extendedKeyUsage, false, purposes(!hosts.isEmpty()))
        .addExtension(
            Extension.authorityKeyIdentifier,
            false,
            new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate.getPublicKey()));
    if (!hosts.isEmpty()) {
      GeneralName[] names = hosts.stream().map(ClusterAuthority::name).toArray(GeneralName[]::new);
      builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
    }
    return new Signed(pair.getPrivate(), signed(builder, key));
  }

  private static ExtendedKeyUsage purposes(boolean serves) {
    return new ExtendedKeyUsage(
        serves
            ? new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}
            : new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth});
  }

  private static GeneralName name(String host) {
    if (host.indexOf(':') >= 0 || IPV4.matcher(host).matches()) {
      try {
        return new GeneralName(GeneralName.iPAddress, host);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(noHost(host), e);
      }
    }
    if (NAME.matcher(host).matches()) {
      return new GeneralName(GeneralName.dNSName, host);
    }
    throw new IllegalArgumentException(noHost(host));
  }

  private static String noHost(String host) {
    return "no certificate can be signed for the host '"
        + host
        + "' of this target; set cluster.advertise to a DNS name of letters, digits and hyphens, or"
        + " an address without leading zeros";
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Principal issuer,
      BigInteger serial,
      Instant begin,
      Instant end,
      X500Principal subject,
      PublicKey shown) {
    return new JcaX509v3CertificateBuilder(
        issuer, serial, Date.from(begin), Date.from(end), subject, shown);
  }

  private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new FixedSigner((ECPrivateKey) key)));
  }

  /**
   * Signs with ECDSA and SHA-256, the nonce from key and message (RFC 6979). So each member makes
   * the same certificate of the authority, and clients know it again.
   */
  private static final class FixedSigner implements ContentSigner {
    private final ECPrivateKey key;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();

    FixedSigner(ECPrivateKey key) {
      this.key = key;
    }

    @Override
    public AlgorithmIdentifier getAlgorithmIdentifier() {
      return new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
    }

    @Override
    public OutputStream getOutputStream() {
      return message;
    }

    @Override
    public byte[] getSignature() {
      ECDomainParameters curve = new ECDomainParameters(CustomNamedCurves.getByName(CURVE));
      ECDSASigner signer = new ECDSASigner(new HMacDSAKCalculator(new SHA256Digest()));
      signer.init(true, new ECPrivateKeyParameters(key.getS(), curve));
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(message.toByteArray());
        BigInteger[] signature = signer.generateSignature(digest);
        return StandardDSAEncoding.INSTANCE.encode(curve.getN(), signature[0], signature[1]);
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Hides the private key. */
  @Override
  public String toString() {
    return certificate.getSubjectX500Principal().getName();
  }
}
