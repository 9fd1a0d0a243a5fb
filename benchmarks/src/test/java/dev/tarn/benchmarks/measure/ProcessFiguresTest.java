package dev.tarn.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessFiguresTest {
  @Test
  void cpuIsTheSumOfUserAndSystemTimeWhateverTheCommandIsCalled() {
    String stat =
        "42 (a) b (c) S 1 42 42 0 -1 4194560 100 0 0 0 123 77 9 9 20 0 5 0 1000 2000 3000";
    assertThat(ProcessCpu.parse(stat)).isEqualTo(2_000_000_000L);
  }

  @Test
  void anonymousMemoryIsReadFromItsOwnLine() {
    String status = "Name:\tjava\nVmRSS:\t  900 kB\nRssAnon:\t  512 kB\nRssFile:\t  388 kB\n";
    assertThat(ProcessMemory.parse(status)).isEqualTo(512 * 1024);
  }

  @Test
  void ownProcessHasBoth() throws IOException {
    long pid = ProcessHandle.current().pid();
    assertThat(ProcessCpu.nanos(pid)).isPositive();
    assertThat(ProcessMemory.anonymousBytes(pid)).isPositive();
  }

  @Test
  void processThatEndedHoldsNoMemory() {
    assertThat(ProcessMemory.anonymousBytes(Long.MAX_VALUE)).isZero();
  }
}
