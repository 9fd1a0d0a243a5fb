package dev.tarn.dist;

import dev.tarn.sharder.cli.SharderMain;
import dev.tarn.standalone.command.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the manual pages of all commands as AsciiDoc into the folder that is its argument. */
public final class ManPages {
  private ManPages() {}

  public static void main(String[] arguments) throws IOException {
    File folder = Path.of(arguments[0]).toFile();
    for (CommandLine program : new CommandLine[] {Main.commandLine(), SharderMain.commandLine()}) {
      int code =
          ManPageGenerator.generateManPage(
              folder, null, new boolean[0], true, program.getCommandSpec());
      if (code != 0) {
        throw new IOException("picocli wrote no manual pages: code " + code);
      }
    }
  }
}
