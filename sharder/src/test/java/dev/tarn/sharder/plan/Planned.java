package dev.tarn.sharder.plan;

import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a plan says, taken whole into memory for tests. */
record Planned(PlanHeader header, String digest, List<PlannedShard> shards, List<ShardPlan> plans) {
  static Planned by(PlanOptions.Builder options, Source... sources) throws IOException {
    return by(new Planner(options.build(), "test", SortSpace.usual()), sources);
  }

  static Planned by(Planner planner, Source... sources) throws IOException {
    try (Plan plan = planner.plan(List.of(sources), "destination")) {
      return of(plan);
    }
  }

  static Planned of(Plan plan) throws IOException {
    List<ShardPlan> plans = new ArrayList<>();
    for (int i = 0; i < plan.shards().size(); i++) {
      plans.add(plan.shard(i));
    }
    return new Planned(plan.header(), plan.digest().hex(), plan.shards(), plans);
  }

  /** All members in order. */
  List<PlannedMember> members() {
    List<PlannedMember> members = new ArrayList<>();
    for (ShardPlan plan : plans) {
      for (int i = 0; i < plan.shard().members(); i++) {
        members.add(plan.member(i));
      }
    }
    return members;
  }

  /** The names of all members in order. */
  List<String> names() {
    return members().stream().map(PlannedMember::name).toList();
  }
}
