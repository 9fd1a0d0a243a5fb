package dev.tarn.sharder.plan;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A process that plans a pack of as many files as one likes, which are nowhere but in names. */
final class SyntheticPlan {
  private SyntheticPlan() {}

  /** Two files of each sample, in an order that is far from any other. */
  private record SyntheticSource(long files) implements Source {
    private static final long STRIDE = 2_147_483_647L;
    private static final int FOLDERS = 1000;

    @Override
    public String url() {
      return "synthetic";
    }

    @Override
    public boolean isOrdered() {
      return false;
    }

    @Override
    public void list(Consumer<SourceFile> action) {
      StringBuilder name = new StringBuilder();
      long number = 0;
      for (long i = 0; i < files; i++) {
        number = (number + STRIDE) % files;
        long sample = number / 2;
        name.setLength(0);
        name.append("train/n").append(10_000 + sample % FOLDERS).append("/image_");
        name.append(1_000_000_000L + sample).append(number % 2 == 0 ? ".jpg" : ".json");
        long size = number % 2 == 0 ? 50_000 + sample % 100_000 : 200;
        action.accept(SourceFile.named(name.toString(), size, 1_700_000_000_000L + number));
      }
    }

    @Override
    public int read(SourceFile file, ByteBuffer target) {
      throw new UnsupportedOperationException(file.name());
    }

    @Override
    public StorageUrl place(SourceFile file) {
      throw new UnsupportedOperationException(file.name());
    }

    @Override
    public ReadableByteChannel open(SourceFile file) {
      throw new UnsupportedOperationException(file.name());
    }

    @Override
    public void close() {}
  }

  /** Takes the number of files, the folder of temporary ones, the sort's memory, and a seed. */
  public static void main(String[] arguments) throws IOException {
    long files = Long.parseLong(arguments[0]);
    SortSpace space = new SortSpace(Path.of(arguments[1]), Long.parseLong(arguments[2]));
    PlanOptions options =
        PlanOptions.builder().order(Order.shuffled(Long.parseLong(arguments[3]))).build();
    try (Plan plan =
        new Planner(options, "test", space).plan(List.of(new SyntheticSource(files)), "nowhere")) {
      ShardPlan last = plan.shard(plan.shards().size() - 1);
      System.out.println(
          plan.header().samples()
              + " samples of "
              + plan.header().members()
              + " files in "
              + plan.shards().size()
              + " shards, the last of "
              + last.shard().samples());
    }
  }
}
