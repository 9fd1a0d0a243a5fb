package dev.tarn.e2e.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses TARN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .withImportOption(location -> !location.contains("/test-fixtures"))
          .importPackages("dev.tarn");

  private static final String SHARD_FORMAT = "dev.tarn.shard..";
  private static final String CLUSTER = "dev.tarn.cluster..";
  private static final String GATEWAY = "dev.tarn.gateway..";
  private static final String TARGET_NODE = "dev.tarn.targetnode..";
  private static final String TRANSPORT = "dev.tarn.transport..";
  private static final String CLIENT_SDK = "dev.tarn.client..";
  private static final String SDK_INTERNALS = "dev.tarn.client.internal..";
  private static final String SHARDER = "dev.tarn.sharder..";
  private static final String STANDALONE = "dev.tarn.standalone..";
  private static final String BENCHMARKS = "dev.tarn.benchmarks..";
  private static final String E2E = "dev.tarn.e2e..";

  private static final String[] AWS = {"software.amazon.."};
  private static final String[] VERTX = {"io.vertx..", "io.netty.."};

  @Test
  void everyModuleIsRead() {
    for (String module :
        List.of(
            "shard",
            "cluster",
            "transport",
            "gateway",
            "targetnode",
            "client",
            "sharder",
            "standalone")) {
      classes()
          .that()
          .resideInAPackage("dev.tarn." + module + "..")
          .should()
          .haveNameMatching("dev\\.tarn\\..*")
          .check(TARN);
    }
  }

  @Test
  void shardFormatNeedsTheJdkAndLibrariesForJsonAndDecompressionAlone() {
    onlyDependOn(
            SHARD_FORMAT,
            "com.fasterxml.jackson.core..",
            "com.github.luben.zstd..",
            "org.apache.commons.compress.compressors..",
            "org.tukaani.xz..")
        .check(TARN);
  }

  @Test
  void clusterNeedsTheJdkAlone() {
    onlyDependOn(CLUSTER).check(TARN);
  }

  @Test
  void gatewayAndTargetNodeMeetAtTheContractAlone() {
    ofOurs(GATEWAY, CLUSTER, SHARD_FORMAT, TRANSPORT).check(TARN);
    ofOurs(TARGET_NODE, CLUSTER, SHARD_FORMAT, TRANSPORT).check(TARN);
  }

  @Test
  void transportNeedsClusterAloneAndServersAloneUseIt() {
    ofOurs(TRANSPORT, CLUSTER).check(TARN);
    noClasses()
        .that()
        .resideOutsideOfPackages(TRANSPORT, GATEWAY, TARGET_NODE, STANDALONE, BENCHMARKS, E2E)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(TRANSPORT)
        .check(TARN);
  }

  @Test
  void internalsOfVertxAndNettyItselfStayInTheTransport() {
    noClasses()
        .that()
        .resideInAPackage("dev.tarn..")
        .and()
        .resideOutsideOfPackage(TRANSPORT)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.netty..", "io.vertx.core.internal..", "io.vertx..impl..")
        .check(TARN);
  }

  @Test
  void theSdkNeedsShardFormatAndClusterAlone() {
    ofOurs(CLIENT_SDK, SHARD_FORMAT, CLUSTER).check(TARN);
  }

  @Test
  void theSharderNeedsTheSdkAndShardFormatAlone() {
    ofOurs(SHARDER, CLIENT_SDK, SHARD_FORMAT).check(TARN);
  }

  @Test
  void nobodyImportsWhatOnlyStartsOrMeasures() {
    noClasses()
        .that()
        .resideOutsideOfPackage(STANDALONE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(STANDALONE)
        .check(TARN);
    noClasses()
        .that()
        .resideOutsideOfPackage(BENCHMARKS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BENCHMARKS, E2E)
        .check(TARN);
  }

  @Test
  void whatUsersEmbedShowsNoVendorTypes() {
    DescribedPredicate<JavaClass> vendors =
        JavaClass.Predicates.resideInAnyPackage("software.amazon..", "io.vertx..", "io.netty..");
    for (String module : List.of(CLIENT_SDK, SHARD_FORMAT, CLUSTER)) {
      noMethods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .resideInAPackage(module)
          .and()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage(SDK_INTERNALS)
          .should()
          .haveRawReturnType(vendors)
          .orShould()
          .haveRawParameterTypes(
              DescribedPredicate.describe(
                  "a vendor's type among them", types -> types.stream().anyMatch(vendors)))
          .check(TARN);
    }
  }

  @Test
  void whatUsersOfTheSdkSeeShowsNoTypesOfItsInternals() {
    DescribedPredicate<JavaClass> internals =
        JavaClass.Predicates.resideInAnyPackage(SDK_INTERNALS, "dev.tarn.shard.order..");
    noMethods()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .resideInAPackage(CLIENT_SDK)
        .and()
        .areDeclaredInClassesThat(DescribedPredicate.not(internals))
        .should()
        .haveRawReturnType(internals)
        .orShould()
        .haveRawParameterTypes(
            DescribedPredicate.describe(
                "an internal type among them", types -> types.stream().anyMatch(internals)))
        .check(TARN);
  }

  @Test
  void whatClientsClaimIsComparedInOnePlaceAndInConstantTime() {
    String comparer = "dev.tarn.gateway.auth.ConstantTime";
    noClasses()
        .that()
        .resideInAPackage(GATEWAY)
        .and()
        .doNotHaveFullyQualifiedName(comparer)
        .should()
        .callMethod(MessageDigest.class, "isEqual", byte[].class, byte[].class)
        .check(TARN);
    for (String verifier :
        List.of(
            "auth.SignatureV4",
            "auth.SignatureV2Verifier",
            "payload.ChunkSignatures",
            "payload.PlainDecoder",
            "admin.AdminAccess")) {
      classes()
          .that()
          .haveFullyQualifiedName("dev.tarn.gateway." + verifier)
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(comparer)
          .check(TARN);
    }
  }

  @Test
  void rocksDbStopsAtTheIndex() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.tarn.targetnode.store.index..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.rocksdb..")
        .check(TARN);
  }

  @Test
  void theTargetNodeSpeaksToOtherS3sThroughItsBackendAlone() {
    noClasses()
        .that()
        .resideInAPackage(TARGET_NODE)
        .and()
        .resideOutsideOfPackages("dev.tarn.targetnode.backend..", "dev.tarn.targetnode.checksum..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("software.amazon.awssdk..")
        .check(TARN);
  }

  @Test
  void checksumsTakeNothingOfTheVendorsButItsChecksums() {
    noClasses()
        .that()
        .resideInAPackage("dev.tarn.targetnode.checksum..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("software.amazon.awssdk..")
                .and(resideOutsideOfPackage("software.amazon.awssdk.crt.checksums..")))
        .check(TARN);
  }

  @Test
  void theStoreKnowsNoNetwork() {
    noClasses()
        .that()
        .resideInAPackage("dev.tarn.targetnode.store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(join(VERTX, AWS))
        .check(TARN);
  }

  @Test
  void packagesAreNamedAfterWhatTheyAreAbout() {
    noClasses()
        .should()
        .resideInAnyPackage(
            "..util..", "..common..", "..helper..", "..manager..", "..impl..", "..misc..")
        .check(TARN);
  }

  private static ArchRule ofOurs(String module, String... allowed) {
    return classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(join(allowed, new String[] {module}))
                .or(JavaClass.Predicates.resideOutsideOfPackage("dev.tarn..")));
  }

  private static ClassesShouldConjunction onlyDependOn(String module, String... allowed) {
    return classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(
                join(
                    allowed,
                    new String[] {
                      module,
                      "java..",
                      "javax.crypto..",
                      "javax.net.ssl..",
                      "org.jspecify.annotations.."
                    })));
  }

  private static String[] join(String[] first, String[] second) {
    return java.util.stream.Stream.of(first, second)
        .flatMap(java.util.Arrays::stream)
        .toArray(String[]::new);
  }
}
