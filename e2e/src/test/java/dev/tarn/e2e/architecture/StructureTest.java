package dev.tarn.e2e.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The form of the code base: what keeps it readable as it grows. */
class StructureTest {
  private static final int FILES_MAX = 49;

  private static final JavaClasses TARN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .withImportOption(location -> !location.contains("/test-fixtures"))
          .importPackages("dev.tarn");

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.tarn.(**)").should().beFreeOfCycles().check(TARN);
  }

  @Test
  void packagesHaveFewerThanFiftyFiles() {
    Map<String, Long> files =
        files().collect(groupingBy(JavaClass::getPackageName, TreeMap::new, counting()));
    files.values().removeIf(count -> count <= FILES_MAX);
    assertThat(files).isEmpty();
  }

  @Test
  void aSimpleNameHasOneMeaning() {
    Map<String, TreeSet<String>> names =
        files()
            .collect(
                groupingBy(
                    JavaClass::getSimpleName,
                    TreeMap::new,
                    mapping(JavaClass::getPackageName, toCollection(TreeSet::new))));
    names.values().removeIf(packages -> packages.size() == 1);
    assertThat(names).isEmpty();
  }

  @Test
  void switchesOverSealedTypesHaveNoDefault() throws IOException {
    SealedSwitches switches = new SealedSwitches(StructureTest::load);
    List<String> found = new ArrayList<>();
    for (JavaClass type : TARN) {
      try (InputStream bytes = type.getSource().orElseThrow().getUri().toURL().openStream()) {
        found.addAll(switches.withDefault(bytes.readAllBytes()));
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void aDefaultOverASealedTypeIsFound() throws IOException {
    String name = "/" + Sealed.class.getName().replace('.', '/') + ".class";
    try (InputStream bytes = requireNonNull(StructureTest.class.getResourceAsStream(name))) {
      assertThat(new SealedSwitches(StructureTest::load).withDefault(bytes.readAllBytes()))
          .containsExactly(Sealed.class.getName() + ".withDefault over " + Sealed.class.getName());
    }
  }

  private static Stream<JavaClass> files() {
    return TARN.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(type -> !type.getSimpleName().equals("package-info"));
  }

  private static Optional<Class<?>> load(ClassDesc type) {
    try {
      return Optional.of(
          Class.forName(
              type.packageName() + "." + type.displayName(), false, Sealed.class.getClassLoader()));
    } catch (ClassNotFoundException outside) {
      return Optional.empty();
    }
  }

  /** What the search for defaults is tried on. */
  sealed interface Sealed {
    record One() implements Sealed {}

    record Two() implements Sealed {}

    static int exhaustive(Sealed value) {
      return switch (value) {
        case One one -> 1;
        case Two two -> 2;
      };
    }

    static int withDefault(Sealed value) {
      return switch (value) {
        case One one -> 1;
        default -> 2;
      };
    }
  }
}
