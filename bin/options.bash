# The options that the JVMs of Tarn start with, on a laptop and in a container.
# bin/launch.bash and dist/launch source this file, and say how much memory a JVM gets.

# The options of every start. The JVM's warnings go to standard error, apart from a command's output.
common=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  -Xlog:disable -Xlog:all=warning:stderr)

# Of a server. The heap holds buffers and requests in flight, never a map of objects. It stays small and
# its collections short, so the collector with the least work per request fits. Direct memory has a
# bound of its own.
server_options=(-XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError)

# Of short commands: a fast start matters more than fast code.
command_options=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)

# Of the sharder. Only the plan of a pack lives long, and little of it is garbage. So the young generation
# is small, and the old one grows with the plan, up to a quarter of the memory.
sharder_options=(-Dslf4j.internal.verbosity=ERROR
  -XX:+UseSerialGC -Xms32m -Xmn16m -XX:MaxRAMPercentage=25 -XX:MaxDirectMemorySize=64m)

# Of the sharder with local files alone. It ends within seconds, and the optimizing compiler would cost
# more than its code gains. So a method is compiled after twenty times the usual calls. Digests are the
# exception: they are slow until they are compiled. Runs that talk to S3 take longer and run more code.
local_sharder_options=(-XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=12000
  -XX:Tier4CompileThreshold=300000 -XX:Tier4BackEdgeThreshold=800000
  -XX:CompileCommand=quiet
  -XX:CompileCommand=CompileThresholdScaling,sun.security.provider.*::*,0.05)
