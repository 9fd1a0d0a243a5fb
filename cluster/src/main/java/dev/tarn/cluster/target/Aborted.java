package dev.tarn.cluster.target;

/** The upload was aborted. */
public record Aborted() {}
