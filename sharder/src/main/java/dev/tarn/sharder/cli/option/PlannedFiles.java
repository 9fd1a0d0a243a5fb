package dev.tarn.sharder.cli.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.ShardPlan;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files whose bytes a plan packs.
 *
 * @param sources in the plan's order
 */
public record PlannedFiles(Plan plan, List<Source> sources) {
  public PlannedFiles {
    requireNonNull(plan, "plan is null");
    sources = List.copyOf(sources);
  }

  /**
   * Verifies that the plan packs none of the files that are to be deleted.
   *
   * @throws IOException naming the file, and the source that lists it
   */
  void requireNone(List<StorageUrl> deleted, StorageUrl destination) throws IOException {
    if (deleted.isEmpty()) {
      return;
    }
    Map<String, StorageUrl> places = new HashMap<>();
    for (StorageUrl url : deleted) {
      RealPlaces.of(url).forEach(place -> places.put(place, url));
    }
    for (int number = 0; number < plan.shards().size(); number++) {
      ShardPlan shard = plan.shard(number);
      for (int member = 0; member < shard.shard().members(); member++) {
        requireNone(shard.member(member), places, destination);
      }
    }
  }

  private void requireNone(
      PlannedMember member, Map<String, StorageUrl> deleted, StorageUrl destination)
      throws IOException {
    if (member.file().content() != null) {
      return;
    }
    Source source = sources.get(member.sourceNumber());
    for (String place : RealPlaces.of(source.place(member.file()))) {
      @Nullable StorageUrl url = deleted.get(place);
      if (url != null) {
        throw PackPlaces.deletesSource(destination, url, source.url());
      }
    }
  }
}
