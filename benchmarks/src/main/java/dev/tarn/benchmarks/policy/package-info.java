/** Workloads of caches, and the policies that are compared on them, without any server or disk. */
@NullMarked
package dev.tarn.benchmarks.policy;

import org.jspecify.annotations.NullMarked;
