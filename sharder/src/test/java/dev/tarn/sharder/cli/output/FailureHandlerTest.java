package dev.tarn.sharder.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureHandlerTest {
  @ParameterizedTest
  @MethodSource("failures")
  void failureIsToldWithoutNamesOfClasses(Exception failure, String message) {
    assertThat(FailureHandler.message(failure)).isEqualTo(message);
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(new AccessDeniedException("/x"), "/x: permission denied"),
        arguments(new NoSuchFileException("/x"), "/x: no such file or directory"),
        arguments(
            new FileSystemException("/x", null, "No space left on device"),
            "/x: No space left on device"),
        arguments(new UncheckedIOException(new IOException("/x is cut short")), "/x is cut short"),
        arguments(
            new ExecutionException(new NoSuchFileException("/x")), "/x: no such file or directory"),
        arguments(new HttpTimeoutException("request timed out"), "request timed out"),
        arguments(new TimeoutException(), "no answer in time"),
        arguments(new ClosedChannelException(), "the connection was closed"),
        arguments(new UnresolvedAddressException(), "the name of the host cannot be resolved"),
        arguments(
            new SSLHandshakeException(
                "PKIX path building failed:"
                    + " sun.security.provider.certpath.SunCertPathBuilderException: unable to find"
                    + " valid certification path to requested target"),
            "PKIX path building failed: unable to find valid certification path to requested"
                + " target"),
        arguments(new IllegalStateException(), "an internal error; --debug prints where"));
  }
}
