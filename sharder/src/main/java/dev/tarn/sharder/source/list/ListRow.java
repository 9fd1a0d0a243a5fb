package dev.tarn.sharder.source.list;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * A row of a list.
 *
 * @param line its first line, from 1
 * @param cells its columns that are not empty, in the list's order
 */
record ListRow(long line, Map<String, String> cells) {
  ListRow {
    requireNonNull(cells, "cells is null");
  }
}
