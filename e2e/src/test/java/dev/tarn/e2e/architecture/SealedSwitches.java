package dev.tarn.e2e.architecture;

import static java.util.stream.Collectors.toCollection;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds switches over sealed types that have a {@code default}. Such a switch still compiles when
 * the type gains a case, and then handles it wrongly; without the default the compiler names every
 * switch that lacks the new case.
 *
 * <p>The compiler turns a switch over types into a call of {@code SwitchBootstraps.typeSwitch},
 * whose arguments are the types of the cases, and a jump table. Where the source has no default,
 * the table's default throws a {@link MatchException}.
 */
final class SealedSwitches {
  private static final ClassDesc MATCH_EXCEPTION = ClassDesc.of("java.lang.MatchException");

  private final Function<ClassDesc, Optional<Class<?>>> classes;

  /**
   * A search.
   *
   * @param classes finds the class of a descriptor; empty for types outside of the code base
   */
  SealedSwitches(Function<ClassDesc, Optional<Class<?>>> classes) {
    this.classes = classes;
  }

  /** The methods of this class file with a default over a sealed type, each with that type. */
  List<String> withDefault(byte[] classFile) {
    List<String> found = new ArrayList<>();
    var model = ClassFile.of().parse(classFile);
    for (MethodModel method : model.methods()) {
      method
          .code()
          .ifPresent(code -> {
            for (String sealed : withDefault(code)) {
              found.add(
                  model.thisClass().asInternalName().replace('/', '.')
                      + "."
                      + method.methodName().stringValue()
                      + " over "
                      + sealed);
            }
          });
    }
    return found;
  }

  private Set<String> withDefault(CodeModel code) {
    Set<String> found = new LinkedHashSet<>();
    List<CodeElement> elements = code.elementList();
    @Nullable String sealed = null;
    for (CodeElement element : elements) {
      if (element instanceof InvokeDynamicInstruction call
          && call.name().equalsString("typeSwitch")) {
        sealed = sealedTypeOf(call.bootstrapArgs()).orElse(null);
      }
      Label target = defaultOf(element);
      if (sealed != null && target != null) {
        if (!throwsMatchException(elements, target)) {
          found.add(sealed);
        }
        sealed = null;
      }
    }
    return found;
  }

  private static @Nullable Label defaultOf(CodeElement element) {
    return switch (element) {
      case TableSwitchInstruction table -> table.defaultTarget();
      case LookupSwitchInstruction lookup -> lookup.defaultTarget();
      default -> null;
    };
  }

  private static boolean throwsMatchException(List<CodeElement> elements, Label target) {
    boolean reached = false;
    for (CodeElement element : elements) {
      if (element instanceof LabelTarget label && label.label().equals(target)) {
        reached = true;
      } else if (reached && element instanceof Instruction) {
        return element instanceof NewObjectInstruction made
            && made.className().asSymbol().equals(MATCH_EXCEPTION);
      }
    }
    return false;
  }

  /** A sealed type of ours that all cases belong to. */
  private Optional<String> sealedTypeOf(List<ConstantDesc> cases) {
    @Nullable Set<Class<?>> common = null;
    for (ConstantDesc one : cases) {
      if (!(one instanceof ClassDesc desc) || classes.apply(desc).isEmpty()) {
        return Optional.empty();
      }
      Set<Class<?>> sealed = sealedTypesOf(classes.apply(desc).orElseThrow());
      if (common == null) {
        common = sealed;
      } else {
        common.retainAll(sealed);
      }
    }
    return common == null
        ? Optional.empty()
        : common.stream().map(Class::getName).sorted().findFirst();
  }

  private static Set<Class<?>> sealedTypesOf(Class<?> type) {
    Set<Class<?>> found = new HashSet<>();
    if (type.isSealed()) {
      found.add(type);
    }
    for (Class<?> parent : type.getInterfaces()) {
      found.addAll(sealedTypesOf(parent));
    }
    Class<?> parent = type.getSuperclass();
    if (parent != null) {
      found.addAll(sealedTypesOf(parent));
    }
    return found.stream()
        .filter(one -> one.getName().startsWith("dev.tarn."))
        .collect(toCollection(HashSet::new));
  }
}
