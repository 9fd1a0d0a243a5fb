package dev.tarn.standalone.certificate;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.CertificateIssuer;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority: a private key that signs, and its certificate.
 *
 * @param key belongs to the certificate
 * @param certificate that clients of the signed certificates trust
 */
record CertificateAuthority(PrivateKey key, X509Certificate certificate) {
  /** Certificates begin earlier than they are signed, since the clocks of members differ. */
  static final Duration BEGINS_EARLIER = Duration.ofMinutes(10);

  private static final Duration OWN_LIFE = Duration.ofDays(3_650);
  private static final int SERIAL_BITS = 127;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Addresses without leading zeros, which certificates do not keep. */
  private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

  private static final String LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

  /** Names that Java clients accept in certificates; the last label is no number. */
  private static final Pattern NAME =
      Pattern.compile("(?=.{1,253}$)(?!(.*\\.)?\\d+$)" + LABEL + "(\\." + LABEL + ")*");

  CertificateAuthority {
    requireNonNull(key, "key is null");
    requireNonNull(certificate, "certificate is null");
  }

  /** Makes an authority for a cluster, with a new key. */
  static CertificateAuthority make(Instant now) throws GeneralSecurityException, IOException {
    KeyPair pair = newKeyPair();
    // Each authority has a name of its own, so that both can be trusted during a rotation.
    X500Principal name =
        new X500Principal("CN=Tarn CA " + new BigInteger(32, RANDOM).toString(Character.MAX_RADIX));
    JcaX509v3CertificateBuilder builder =
        builder(name, now, now.plus(OWN_LIFE), name, pair.getPublic());
    JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
    builder
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign))
        .addExtension(
            Extension.subjectKeyIdentifier,
            false,
            extensions.createSubjectKeyIdentifier(pair.getPublic()));
    return new CertificateAuthority(pair.getPrivate(), signed(builder, pair.getPrivate()));
  }

  /** Makes a key pair for an authority or a member. */
  static KeyPair newKeyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
    return generator.generateKeyPair();
  }

  /**
   * Signs the certificate of a member.
   *
   * @throws CertificateIssuer.RefusedException if one of the hosts is neither a name nor an address
   */
  X509Certificate sign(Audience audience, CertificateIssuer.Wish wish, Instant now, Instant end)
      throws CertificateIssuer.RefusedException, GeneralSecurityException, IOException {
    X500Principal name =
        new X500Principal(
            switch (audience) {
              case GATEWAY -> "CN=Tarn gateway";
              case TARGET -> "CN=Tarn target";
            });
    JcaX509v3CertificateBuilder builder =
        builder(certificate.getSubjectX500Principal(), now, end, name, wish.key());
    JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
    builder
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
        .addExtension(Extension.extendedKeyUsage, false, purposes(audience))
        .addExtension(
            Extension.authorityKeyIdentifier,
            false,
            extensions.createAuthorityKeyIdentifier(certificate));
    if (!wish.hosts().isEmpty()) {
      builder.addExtension(Extension.subjectAlternativeName, false, names(wish.hosts()));
    }
    return signed(builder, key);
  }

  private static ExtendedKeyUsage purposes(Audience audience) {
    return new ExtendedKeyUsage(
        switch (audience) {
          case GATEWAY -> new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth};
          case TARGET ->
              new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
        });
  }

  private static GeneralNames names(List<String> hosts) throws CertificateIssuer.RefusedException {
    GeneralName[] names = new GeneralName[hosts.size()];
    for (int i = 0; i < names.length; i++) {
      names[i] = name(hosts.get(i));
    }
    return new GeneralNames(names);
  }

  private static GeneralName name(String host) throws CertificateIssuer.RefusedException {
    try {
      if (host.indexOf(':') >= 0 || IPV4.matcher(host).matches()) {
        return new GeneralName(GeneralName.iPAddress, host);
      }
      if (NAME.matcher(host).matches()) {
        return new GeneralName(GeneralName.dNSName, host);
      }
    } catch (IllegalArgumentException e) {
      throw new CertificateIssuer.RefusedException(noHost(host), e);
    }
    throw new CertificateIssuer.RefusedException(noHost(host));
  }

  /** Whether this is a name or an address that a certificate can have. */
  static boolean isHost(String host) {
    try {
      name(host);
      return true;
    } catch (CertificateIssuer.RefusedException e) {
      return false;
    }
  }

  private static String noHost(String host) {
    return "no certificate can be signed for the host '"
        + host
        + "', which is neither a DNS name of letters, digits and hyphens nor an address without"
        + " leading zeros; set cluster.advertise";
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Principal issuer, Instant now, Instant end, X500Principal subject, PublicKey shown) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(SERIAL_BITS, RANDOM).add(BigInteger.ONE),
        Date.from(now.minus(BEGINS_EARLIER)),
        Date.from(end),
        subject,
        shown);
  }

  private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder(PemFile.signatureAlgorithm(key)).build(key)));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e.getMessage(), e);
    }
  }
}
