package dev.tarn.benchmarks.policy;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Generators of workloads. Equal seeds give equal workloads. */
public final class Workloads {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final int LARGEST_BYTES = 1_000_000_000;

  private Workloads() {}

  /**
   * Epochs of an hour over shards of 48 to 80 MiB.
   *
   * @param share of the data that fits into the cache
   */
  public static Workload epochs(int shards, double share, boolean shuffled, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = shardSizes(shards, random);
    Workload.Builder builder = new Workload.Builder();
    int[] order = from(0, shards);
    for (int epoch = 0; epoch < 10; epoch++) {
      if (shuffled) {
        shuffle(order, random);
      }
      pass(builder, order, sizes, epoch * HOUR, HOUR);
    }
    String name =
        "%s epochs, cache %d %%"
            .formatted(shuffled ? "shuffled" : "sequential", Math.round(share * 100));
    return builder.build(name, sizes, new byte[shards], (long) (Workload.sum(sizes) * share));
  }

  /** Ten epochs of one data set, then eight of another; the cache holds half of one. */
  public static Workload jobSwitch(int shards, boolean buckets, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = shardSizes(2 * shards, random);
    byte[] bucket = new byte[2 * shards];
    Arrays.fill(bucket, shards, 2 * shards, (byte) (buckets ? 1 : 0));
    Workload.Builder builder = new Workload.Builder();
    for (int epoch = 0; epoch < 18; epoch++) {
      int[] order = from(epoch < 10 ? 0 : shards, shards);
      shuffle(order, random);
      pass(builder, order, sizes, epoch * HOUR, HOUR);
    }
    return builder.build(
        buckets ? "job after job" : "job after job, one bucket",
        sizes,
        bucket,
        Workload.sum(Arrays.copyOf(sizes, shards)) / 2);
  }

  /**
   * Single samples of 128 KiB out of shards of 16 MiB in units of 1 MiB, over eight epochs; half of
   * them fits.
   *
   * @param block the number of shards that are shuffled together; 0 for all
   */
  static Workload samples(int shards, int block, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int inShard = 128;
    int sampleBytes = 128 * KIB;
    int[] sizes = new int[shards * 16];
    Arrays.fill(sizes, MIB);
    int samples = shards * inShard;
    int[] order = from(0, shards);
    Workload.Builder builder = new Workload.Builder();
    for (int epoch = 0; epoch < 8; epoch++) {
      int[] read = block == 0 ? from(0, samples) : inBlocks(order, block, inShard, random);
      if (block == 0) {
        shuffle(read, random);
      }
      for (int i = 0; i < samples; i++) {
        int unit = (int) ((long) read[i] * sampleBytes / MIB);
        builder.read(unit, sampleBytes, epoch * HOUR + i * HOUR / samples);
      }
    }
    return builder.build(
        block == 0 ? "samples" : "samples in blocks",
        sizes,
        new byte[sizes.length],
        Workload.sum(sizes) / 2);
  }

  private static int[] inBlocks(int[] shards, int block, int inShard, SplittableRandom random) {
    shuffle(shards, random);
    int[] all = new int[shards.length * inShard];
    int count = 0;
    for (int first = 0; first < shards.length; first += block) {
      int[] together = new int[Math.min(block, shards.length - first) * inShard];
      for (int i = 0; i < together.length; i++) {
        together[i] = shards[first + i / inShard] * inShard + i % inShard;
      }
      shuffle(together, random);
      for (int sample : together) {
        all[count++] = sample;
      }
    }
    return all;
  }

  /**
   * Two jobs at different paces, a scan, checkpoints of which a tenth is read back, and popular
   * small objects, in a bucket each.
   *
   * @param scale the counts are divided by it
   * @param shrink the sizes of all but the small objects are divided by it
   */
  public static Workload blender(int scale, int shrink, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int slow = 16_384 / scale;
    int fast = 40_960 / scale;
    int scanned = 32_768 / scale;
    int checkpoint = Math.max(1, 48 / scale);
    int small = 200_000 / scale;
    int firstFast = slow;
    int firstScanned = firstFast + fast;
    int firstCheckpoint = firstScanned + scanned;
    int firstSmall = firstCheckpoint + 30 * checkpoint;
    int[] sizes = new int[firstSmall + small];
    byte[] buckets = new byte[sizes.length];
    fill(sizes, buckets, 0, firstFast, 64 * MIB / shrink, 0);
    fill(sizes, buckets, firstFast, firstScanned, 16 * MIB / shrink, 1);
    fill(sizes, buckets, firstScanned, firstCheckpoint, 64 * MIB / shrink, 2);
    fill(sizes, buckets, firstCheckpoint, firstSmall, 1023 * MIB / shrink, 3);
    for (int i = firstSmall; i < sizes.length; i++) {
      sizes[i] = logNormal(random, 8 * KIB, 1.2, 256, 256 * KIB);
      buckets[i] = 4;
    }
    Workload.Builder builder = new Workload.Builder();
    int[] order = from(0, slow);
    for (int epoch = 0; epoch < 10; epoch++) {
      shuffle(order, random);
      pass(builder, order, sizes, epoch * HOUR, HOUR);
    }
    order = from(firstFast, fast);
    for (int epoch = 0; epoch < 20; epoch++) {
      shuffle(order, random);
      pass(builder, order, sizes, epoch * HOUR / 2, HOUR / 2);
    }
    pass(builder, from(firstScanned, scanned), sizes, 3 * HOUR, 2 * HOUR);
    for (int i = 0; i < 30; i++) {
      checkpoint(builder, firstCheckpoint + i * checkpoint, checkpoint, i, scale, sizes, random);
    }
    double[] popularity = zipf(small, 0.9);
    order = from(firstSmall, small);
    shuffle(order, random);
    for (int i = 0; i < 30 * 3600 * 10 / scale; i++) {
      long at = (long) (random.nextDouble() * 10 * HOUR);
      int entry = order[draw(popularity, random)];
      builder.read(entry, sizes[entry], at);
    }
    return builder.build("blender", sizes, buckets, (832L << 30) / scale / shrink);
  }

  private static void checkpoint(
      Workload.Builder builder,
      int first,
      int count,
      int number,
      int scale,
      int[] sizes,
      SplittableRandom random) {
    long begin = (number + 1) * HOUR / 3 - 2 * MINUTE;
    for (int i = 0; i < count; i++) {
      builder.write(first + i, begin + i * 1000L * scale);
    }
    if (random.nextInt(10) != 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      long at = begin + 5 * MINUTE + i * 1000L * scale;
      if (at < 10 * HOUR) {
        builder.read(first + i, sizes[first + i], at);
      }
    }
  }

  /**
   * Reads of objects of very different sizes and popularities; a tenth of them fits.
   *
   * @param once the part of the reads that goes to objects that are read once
   */
  static Workload mixed(int objects, int reads, double once, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int extra = (int) (reads * once);
    int[] sizes = new int[objects + extra];
    byte[] buckets = new byte[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = logNormal(random, 256 * KIB, 2.8, 100, LARGEST_BYTES);
      buckets[i] = (byte) random.nextInt(4);
    }
    double[] popularity = zipf(objects, 0.8);
    Workload.Builder builder = new Workload.Builder();
    int used = 0;
    for (int i = 0; i < reads; i++) {
      boolean single = random.nextDouble() < once && used < extra;
      int entry = single ? objects + used++ : draw(popularity, random);
      builder.read(entry, sizes[entry], 10 * HOUR * i / reads);
    }
    long common = Workload.sum(Arrays.copyOf(sizes, objects));
    return builder.build(
        once > 0 ? "mixed sizes, 30 % read once" : "mixed sizes", sizes, buckets, common / 10);
  }

  /** Objects appear over time, and are popular while they are young; a fiftieth fits. */
  static Workload drift(int objects, int reads, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = new int[objects];
    for (int i = 0; i < objects; i++) {
      sizes[i] = MIB + random.nextInt(63 * MIB);
    }
    Workload.Builder builder = new Workload.Builder();
    long span = 10 * HOUR;
    for (int i = 0; i < reads; i++) {
      long at = (long) ((double) i / reads * span);
      double age = -Math.log(1 - random.nextDouble()) * 20 * MINUTE;
      double birth = (at - age) / span;
      int born = (int) ((birth < 0 ? random.nextDouble() * 0.0001 : birth) * objects);
      int near = born - born % 64 + (int) (64 * Math.pow(random.nextDouble(), 3));
      int entry = Math.min(near, objects - 1);
      builder.read(entry, sizes[entry], at);
    }
    return builder.build("drift", sizes, new byte[objects], (long) (Workload.sum(sizes) * .02));
  }

  /** Held out: three jobs, a scan within the bucket of one, checkpoints, and small objects. */
  static Workload threeJobs(int scale, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] counts = {24_000 / scale, 9_000 / scale, 3_000 / scale};
    int[] means = {8 * MIB, 32 * MIB, 128 * MIB};
    long[] epochs = {20 * MINUTE, 45 * MINUTE, 90 * MINUTE};
    int scanned = 12_000 / scale;
    int checkpoint = 20 / scale;
    int small = 50_000 / scale;
    long span = 9 * HOUR;
    int jobs = counts[0] + counts[1] + counts[2];
    int firstCheckpoint = jobs + scanned;
    int firstSmall = firstCheckpoint + 24 * checkpoint;
    int[] sizes = new int[firstSmall + small];
    byte[] buckets = new byte[sizes.length];
    Workload.Builder builder = new Workload.Builder();
    int first = 0;
    for (int job = 0; job < 3; job++) {
      for (int i = first; i < first + counts[job]; i++) {
        sizes[i] = means[job] / 2 + random.nextInt(means[job]);
        buckets[i] = (byte) job;
      }
      int[] order = from(first, counts[job]);
      long start = job == 1 ? 2 * HOUR : 0;
      long end = job == 0 ? 6 * HOUR + 1 : span;
      for (long epoch = start; epoch < span; epoch += epochs[job]) {
        shuffle(order, random);
        for (int i = 0; i < order.length; i++) {
          long at = epoch + i * epochs[job] / order.length;
          if (at < end) {
            builder.read(order[i], sizes[order[i]], at);
          }
        }
      }
      first += counts[job];
    }
    fill(sizes, buckets, jobs, firstCheckpoint, 64 * MIB, 2);
    pass(builder, from(jobs, scanned), sizes, 4 * HOUR, HOUR);
    fill(sizes, buckets, firstCheckpoint, firstSmall, 512 * MIB, 3);
    for (int number = 0; number < 24; number++) {
      long begin = (number + 1) * span / 25;
      boolean readBack = random.nextInt(2) == 0;
      for (int i = 0; i < checkpoint; i++) {
        int entry = firstCheckpoint + number * checkpoint + i;
        builder.write(entry, begin + i * 2000L * scale);
        if (readBack) {
          builder.read(entry, sizes[entry], begin + 10 * MINUTE + i * 1000L * scale);
        }
      }
    }
    double[] popularity = zipf(small, 1);
    for (int i = firstSmall; i < sizes.length; i++) {
      sizes[i] = 200 + random.nextInt(64 * KIB);
      buckets[i] = 4;
    }
    for (int i = 0; i < 400_000 / scale; i++) {
      long at = (long) (random.nextDouble() * span);
      int entry = firstSmall + draw(popularity, random);
      builder.read(entry, sizes[entry], at);
    }
    long data = Workload.sum(Arrays.copyOf(sizes, jobs));
    return builder.build("three jobs", sizes, buckets, (long) (data * .3));
  }

  /** Held out: draws with replacement, with weights that drift; 30 % fits. */
  static Workload importance(int samples, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = new int[samples];
    double[] weights = new double[samples];
    for (int i = 0; i < samples; i++) {
      sizes[i] = 20 * KIB + random.nextInt(400 * KIB);
      weights[i] = gauss(random);
    }
    Workload.Builder builder = new Workload.Builder();
    for (int epoch = 0; epoch < 10; epoch++) {
      double[] sums = new double[samples];
      double sum = 0;
      for (int i = 0; i < samples; i++) {
        sum += Math.exp(weights[i]);
        sums[i] = sum;
        weights[i] = .9 * weights[i] + Math.sqrt(1 - .81) * gauss(random);
      }
      for (int i = 0; i < samples; i++) {
        sums[i] /= sum;
      }
      for (int i = 0; i < samples; i++) {
        int entry = draw(sums, random);
        builder.read(entry, sizes[entry], epoch * HOUR + i * HOUR / samples);
      }
    }
    return builder.build(
        "importance sampling", sizes, new byte[samples], (long) (Workload.sum(sizes) * .3));
  }

  /** Held out: four jobs share a data set and begin at different times; half of it fits. */
  static Workload sharedData(int shards, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = shardSizes(shards, random);
    Workload.Builder builder = new Workload.Builder();
    int[] order = from(0, shards);
    for (long start : new long[] {0, 13 * MINUTE, 29 * MINUTE, 44 * MINUTE}) {
      for (int epoch = 0; epoch < 8; epoch++) {
        shuffle(order, random);
        pass(builder, order, sizes, start + epoch * HOUR, HOUR);
      }
    }
    return builder.build("four jobs share data", sizes, new byte[shards], Workload.sum(sizes) / 2);
  }

  /** Held out: each epoch of half an hour reads a new 30 % of the data; 40 % fits. */
  static Workload subsets(int shards, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sizes = shardSizes(shards, random);
    Workload.Builder builder = new Workload.Builder();
    int[] order = from(0, shards);
    for (int epoch = 0; epoch < 20; epoch++) {
      shuffle(order, random);
      int[] subset = Arrays.copyOf(order, shards * 3 / 10);
      pass(builder, subset, sizes, epoch * HOUR / 2, HOUR / 2);
    }
    return builder.build(
        "random subsets", sizes, new byte[shards], (long) (Workload.sum(sizes) * .4));
  }

  /** Reads each entry whole, in this order, evenly within the time. */
  private static void pass(
      Workload.Builder builder, int[] order, int[] sizes, long begin, long duration) {
    for (int i = 0; i < order.length; i++) {
      builder.read(order[i], sizes[order[i]], begin + i * duration / order.length);
    }
  }

  private static int[] shardSizes(int count, SplittableRandom random) {
    int[] sizes = new int[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = 48 * MIB + random.nextInt(32 * MIB);
    }
    return sizes;
  }

  private static void fill(int[] sizes, byte[] buckets, int from, int to, int size, int bucket) {
    Arrays.fill(sizes, from, to, size);
    Arrays.fill(buckets, from, to, (byte) bucket);
  }

  private static int[] from(int first, int count) {
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      all[i] = first + i;
    }
    return all;
  }

  private static void shuffle(int[] all, SplittableRandom random) {
    for (int i = all.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int moved = all[i];
      all[i] = all[other];
      all[other] = moved;
    }
  }

  private static double[] zipf(int count, double exponent) {
    double[] sums = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    for (int i = 0; i < count; i++) {
      sums[i] /= sum;
    }
    return sums;
  }

  private static int draw(double[] sums, SplittableRandom random) {
    int found = Arrays.binarySearch(sums, random.nextDouble());
    return found < 0 ? Math.min(-found - 1, sums.length - 1) : found;
  }

  private static double gauss(SplittableRandom random) {
    return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
        * Math.cos(2 * Math.PI * random.nextDouble());
  }

  private static int logNormal(
      SplittableRandom random, int median, double deviation, int min, int max) {
    double size = Math.exp(Math.log(median) + deviation * gauss(random));
    return (int) Math.clamp(size, min, max);
  }
}
