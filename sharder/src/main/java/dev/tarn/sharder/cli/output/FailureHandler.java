package dev.tarn.sharder.cli.output;

import dev.tarn.shard.TemporaryFileException;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Prints a failure as one line; with {@code --debug} also the stack trace. */
public final class FailureHandler implements IExecutionExceptionHandler {
  public static final String DEBUG = "--debug";

  /** The qualified name of an exception's class, which the JDK puts into some messages. */
  private static final Pattern EXCEPTION_NAME =
      Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w*(?:Exception|Error)\\b(?:: )?");

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    say(command, message(failure) + advice(failure, command));
    for (Throwable besides : failure.getSuppressed()) {
      say(command, "besides, " + besides.getMessage());
    }
    if (command.getParseResult().hasMatchedOption(DEBUG)) {
      failure.printStackTrace(command.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String advice(Throwable failure, CommandLine command) {
    Throwable cause =
        failure instanceof ExecutionException || failure instanceof UncheckedIOException
            ? failure.getCause()
            : failure;
    if (!(cause instanceof TemporaryFileException)) {
      return "";
    }
    return command.getCommandSpec().findOption("--temp-dir") == null
        ? "; choose another folder with TARN_JAVA_OPTS=-Djava.io.tmpdir=FOLDER"
        : "; choose another folder with --temp-dir";
  }

  private static void say(CommandLine command, String message) {
    if (command.getParseResult().hasMatchedOption(Console.JSON)) {
      command.getOut().println(JsonEvent.line("error", Map.of("message", message)));
      command.getOut().flush();
    } else {
      command.getErr().println("sharder: " + message);
    }
  }

  /**
   * The message of a failure, without names of Java classes. File system exceptions may have only
   * the path; their class gives the reason.
   */
  public static String message(Throwable failure) {
    boolean wraps =
        failure instanceof UncheckedIOException || failure instanceof ExecutionException;
    if (wraps && failure.getCause() != null) {
      return message(failure.getCause());
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      String reason =
          switch (file) {
            case NoSuchFileException _ -> ": no such file or directory";
            case AccessDeniedException _ -> ": permission denied";
            case NotDirectoryException _ -> ": is not a directory";
            case FileSystemLoopException _ -> ": symbolic links form a loop";
            case DirectoryNotEmptyException _ -> ": is a folder that is not empty";
            default -> "";
          };
      return file.getFile() + reason;
    }
    if (failure instanceof InterruptedException) {
      return "interrupted; what was unfinished is removed";
    }
    String message = failure.getMessage();
    if (message != null && !message.isBlank()) {
      return EXCEPTION_NAME.matcher(message).replaceAll("");
    }
    return switch (failure) {
      case EOFException _ -> "the data ended early";
      case ClosedChannelException _ -> "the connection was closed";
      case UnresolvedAddressException _ -> "the name of the host cannot be resolved";
      case ConnectException _ -> "the connection was refused";
      case TimeoutException _ -> "no answer in time";
      default -> "an internal error; " + DEBUG + " prints where";
    };
  }
}
