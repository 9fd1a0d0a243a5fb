/** What a target knows of the cluster, and whether it is a member of it. */
@NullMarked
package dev.tarn.targetnode.membership;

import org.jspecify.annotations.NullMarked;
