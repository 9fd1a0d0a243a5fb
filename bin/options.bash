# The options that the JVMs of Tarn start with, on a laptop and in a container.
# Sourced by bin/launch.bash and container/launch; how much memory a JVM gets is said there.

# What every start has in common; the JVM's own warnings must not mix with what is printed.
common=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  -Xlog:disable -Xlog:all=warning:stderr)

# Of a server. The heap holds buffers and what is in flight, never a map of objects, so it stays
# small and a collection short: the collector with the least work per request is the right one.
# Direct memory is bounded beside it.
server_options=(-XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError)

# Of commands that ask and leave: a start that is quick rather than code that is fast.
command_options=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)

# Of the sharder. The plan of a pack is what lives long, and little of it is garbage: a small young
# generation, and an old one that grows only as the plan does, up to a quarter of the memory.
sharder_options=(-Dslf4j.internal.verbosity=ERROR
  -XX:+UseSerialGC -Xms32m -Xmn16m -XX:MaxRAMPercentage=25 -XX:MaxDirectMemorySize=64m)

# Of the sharder among local files. It is over in seconds, of which the optimizing compiler would take
# more than its code wins back: so it is called for what runs twenty times as often as usual, but at
# once for the digests, which only it makes quick. Who talks to S3 runs longer, and more code.
local_sharder_options=(-XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=12000
  -XX:Tier4CompileThreshold=300000 -XX:Tier4BackEdgeThreshold=800000
  -XX:CompileCommand=quiet
  -XX:CompileCommand=CompileThresholdScaling,sun.security.provider.*::*,0.05)
