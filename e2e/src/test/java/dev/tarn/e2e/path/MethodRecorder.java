package dev.tarn.e2e.path;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An agent that notes which of our classes execute a method, in the order of their first one. It
 * listens on a port, which it writes to {@code FOLDER/PID.port}: a connection begins the notes, and
 * a line on it ends them and gets them.
 */
public final class MethodRecorder implements ClassFileTransformer {
  private static final ClassDesc RECORDER = ClassDesc.of(MethodRecorder.class.getName());
  private static final MethodTypeDesc ENTERED =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  private static final Set<String> NOTED = new LinkedHashSet<>();
  private static volatile boolean noting;

  private MethodRecorder() {}

  /**
   * Starts the agent.
   *
   * @param folder where the port is written to
   */
  public static void premain(String folder, Instrumentation instrumentation) throws IOException {
    instrumentation.addTransformer(new MethodRecorder());
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("method-recorder").start(() -> serve(server));
    Path port = Path.of(folder, ProcessHandle.current().pid() + ".port");
    Files.writeString(port, Integer.toString(server.getLocalPort()));
  }

  private static void serve(ServerSocket server) {
    while (true) {
      try (Socket socket = server.accept();
          BufferedReader in =
              new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
        begin();
        socket.getOutputStream().write('\n');
        in.readLine();
        socket.getOutputStream().write(String.join("\n", end()).getBytes(UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void begin() {
    synchronized (NOTED) {
      NOTED.clear();
    }
    noting = true;
  }

  private static List<String> end() {
    noting = false;
    synchronized (NOTED) {
      return List.copyOf(NOTED);
    }
  }

  /** Every method of ours calls this first. */
  public static void entered(String className) {
    if (noting) {
      synchronized (NOTED) {
        NOTED.add(className);
      }
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      String className,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    if (loader == null
        || !className.startsWith("dev/tarn/")
        || className.startsWith("dev/tarn/e2e/")) {
      return null;
    }
    ClassFile classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(loader)));
    ClassModel model = classFile.parse(bytes);
    return classFile.transformClass(
        model,
        ClassTransform.transformingMethodBodies(
            method -> !method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME),
            new Noting(className.replace('/', '.'))));
  }

  private record Noting(String className) implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.ldc(className).invokestatic(RECORDER, "entered", ENTERED);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }
}
