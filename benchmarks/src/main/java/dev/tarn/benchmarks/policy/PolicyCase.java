package dev.tarn.benchmarks.policy;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongFunction;

/**
 * A workload on which policies are compared.
 *
 * @param workload made from a seed
 * @param goal the share of hits that the policy must reach; empty for a workload that was held out
 *     while the policy was designed
 * @param isEpochs whether jobs read one data set once per epoch, so that no cache can do better
 *     than one that keeps a part
 */
record PolicyCase(LongFunction<Workload> workload, OptionalDouble goal, boolean isEpochs) {
  /** A policy may fall short of the reference by this much. */
  private static final double SHORT_MAX = 0.02;

  /**
   * All cases.
   *
   * @param small whether their counts are divided by five
   */
  static List<PolicyCase> all(boolean small) {
    int scale = small ? 5 : 1;
    return List.of(
        epochs(seed -> Workloads.epochs(20_000 / scale, .25, true, seed)),
        epochs(seed -> Workloads.epochs(20_000 / scale, .5, true, seed)),
        epochs(seed -> Workloads.epochs(20_000 / scale, .75, true, seed)),
        epochs(seed -> Workloads.epochs(20_000 / scale, .5, false, seed)),
        mixed(small ? .439 : .44, seed -> Workloads.jobSwitch(20_000 / scale, true, seed)),
        heldOut(seed -> Workloads.jobSwitch(20_000 / scale, false, seed)),
        mixed(small ? .526 : .54, seed -> Workloads.blender(scale, 1, seed)),
        mixed(small ? .472 : .47, seed -> Workloads.samples(2_048 / (small ? 4 : 1), 0, seed)),
        mixed(small ? .929 : .93, seed -> Workloads.samples(2_048 / (small ? 4 : 1), 8, seed)),
        mixed(
            small ? .470 : .50,
            seed -> Workloads.mixed(100_000 / scale, 2_000_000 / scale, 0, seed)),
        mixed(
            small ? .283 : .32,
            seed -> Workloads.mixed(100_000 / scale, 2_000_000 / scale, .3, seed)),
        mixed(
            small ? .492 : .50, seed -> Workloads.drift(100_000 / scale, 1_000_000 / scale, seed)),
        heldOut(seed -> Workloads.threeJobs(scale, seed)),
        heldOut(seed -> Workloads.importance(40_000 / scale, seed)),
        heldOut(seed -> Workloads.sharedData(20_000 / scale, seed)),
        heldOut(seed -> Workloads.subsets(40_000 / scale, seed)));
  }

  private static PolicyCase epochs(LongFunction<Workload> workload) {
    return new PolicyCase(workload, OptionalDouble.empty(), true);
  }

  private static PolicyCase mixed(double reference, LongFunction<Workload> workload) {
    return new PolicyCase(workload, OptionalDouble.of(reference - SHORT_MAX), false);
  }

  private static PolicyCase heldOut(LongFunction<Workload> workload) {
    return new PolicyCase(workload, OptionalDouble.empty(), false);
  }
}
