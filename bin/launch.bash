# What bin/tarn and bin/sharder share: find a JDK 25, build what is not built, record what a start of
# the server needs, start.
# Sourced by them, after $home has been set to the checkout.

java_release=25

# Prints the feature release of the JDK in folder $1, or nothing.
release_of() {
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] &&
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# Prints the folder of a JDK 25: JAVA_HOME, then the usual places, then the one on the PATH.
find_java_home() {
  local candidate on_path
  on_path=$(command -v java || true)
  while [ -n "$on_path" ] && [ -L "$on_path" ]; do
    candidate=$(readlink "$on_path")
    case $candidate in
      /*) on_path=$candidate ;;
      *) on_path=$(dirname "$on_path")/$candidate ;;
    esac
  done
  for candidate in "${JAVA_HOME:-}" \
    /usr/lib/jvm/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "$HOME"/.sdkman/candidates/java/* \
    "$HOME"/.jdks/* \
    /opt/jdk* /opt/java/* \
    "${on_path%/bin/java}"; do
    if [ -n "$candidate" ] && [ "$(release_of "$candidate")" = "$java_release" ]; then
      echo "$candidate"
      return
    fi
  done
  {
    echo "$name: no JDK $java_release found in JAVA_HOME, the usual places or the PATH."
    echo "Install one, such as Eclipse Temurin $java_release (https://adoptium.net), or set JAVA_HOME to it."
  } >&2
  return 1
}

# Succeeds when module $1 is built and nothing it is made of is newer.
is_built() {
  local class_path="$home/$1/target/classpath"
  [ -r "$class_path" ] &&
    [ -n "$(jar_of "$1")" ] &&
    [ -z "$(find "$home"/pom.xml "$home"/*/pom.xml "$home"/*/src/main -newer "$class_path" -print 2>/dev/null | head -n 1)" ]
}

# Takes the lock of the build. The link names its holder, so that the lock of a build that was
# killed holds nobody up.
take_lock() {
  local waited=0 holder
  lock="$home/.build.lock"
  until ln -s "$$" "$lock" 2>/dev/null; do
    holder=$(readlink "$lock" || true)
    if [ -z "$holder" ]; then
      if [ ! -w "$home" ]; then
        echo "$name: $home is not built, and this user cannot write to it. Build it as its owner, or make it writable." >&2
        return 1
      fi
    elif ! kill -0 "$holder" 2>/dev/null; then
      break_lock "$holder"
    elif [ "$waited" -eq 0 ]; then
      echo "$name: waiting for the build of process $holder" >&2
      waited=1
    fi
    sleep 0.2
  done
}

# Removes the lock if it is still that of process $1, which has ended. One at a time may look and
# remove, or the lock that another has taken meanwhile would be gone.
break_lock() {
  mkdir "$lock.breaking" 2>/dev/null || return 0
  if [ "$(readlink "$lock" || true)" = "$1" ]; then
    rm -f "$lock"
  fi
  rmdir "$lock.breaking"
}

# Gives the lock back if it is this process's.
release_lock() {
  if [ "$(readlink "$lock" || true)" = "$$" ]; then
    rm -f "$lock"
  fi
}

# Builds module $1 with what it needs, unless it is built. Two launchers at once build once.
build() {
  is_built "$1" && return
  if ! command -v mvn >/dev/null; then
    echo "$name: $home is not built, and there is no mvn on the PATH. Install Maven 3.8.7 or later." >&2
    return 1
  fi
  take_lock
  trap release_lock EXIT
  if ! is_built "$1"; then
    echo "$name: building $1 and what it needs (only after changes)..." >&2
    if ! (cd "$home" && JAVA_HOME=$java_home \
      MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
      mvn -B -q -DskipTests \
      -Denforcer.skip -Dsort.skip -Dexec.skip -Dmodernizer.skip -Dmdep.analyze.skip \
      -pl "$1" -am package) >&2; then
      echo "$name: the build failed; see above, or run mvn verify in $home" >&2
      return 1
    fi
    if [ -z "$(jar_of "$1")" ] || [ ! -r "$home/$1/target/classpath" ]; then
      echo "$name: the build has left no jar of $1 or no class path in $home/$1/target; run mvn verify in $home" >&2
      return 1
    fi
    touch "$home/$1/target/classpath"
    if [ "$1" = standalone ]; then
      record_start
    fi
  fi
  release_lock
  trap - EXIT
}

# Prints the jar of module $1: the newest, should that of another version have been left behind.
jar_of() {
  local jar newest=
  for jar in "$home/$1/target/$1"-*.jar; do
    case $jar in
      *-tests.jar | *-sources.jar | *-javadoc.jar) continue ;;
    esac
    if [ -r "$jar" ] && { [ -z "$newest" ] || [ "$jar" -nt "$newest" ]; }; then
      newest=$jar
    fi
  done
  echo "$newest"
}

# Prints the class path of module $1.
class_path() {
  echo "$(jar_of "$1"):$(cat "$home/$1/target/classpath")"
}

# What every start has in common; the JVM's own warnings must not mix with what is printed.
common=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  -Xlog:disable -Xlog:all=warning:stderr)

# Of a server. The heap holds buffers and what is in flight, never a map of objects, so it stays
# small and a collection short: the collector with the least work per request is the right one.
# Direct memory is bounded beside it.
server_options=(-XX:+UseParallelGC -Xms64m -Xmx256m -XX:MaxDirectMemorySize=384m
  -XX:+ExitOnOutOfMemoryError)

start_cache="$home/standalone/target/tarn.aot"
native_folder="$home/standalone/target/native"

# Succeeds when what a start of the server needs has been recorded since the last build.
is_start_recorded() {
  [ "$start_cache" -nt "$home/standalone/target/classpath" ]
}

# Records what a start of the server needs: its classes, already linked, in a cache that later
# starts map, and native code unpacked. Done once after a build, by a server of its own that serves
# nobody: what the environment says to servers is not for it, or it would open the caller's disks
# and announce itself in the caller's ready file. Without a record a server starts too, only slower.
record_start() {
  local folder pid variable waited=0
  local quiet=(env)
  echo "$name: recording what a start of the server needs, so that starts are quick..." >&2
  unpack_native
  folder=$(mktemp -d)
  for variable in "${!TARN_@}"; do
    quiet+=(-u "$variable")
  done
  find_native
  "${quiet[@]}" "$java_home/bin/java" "${common[@]}" "${server_options[@]}" \
    ${native[@]+"${native[@]}"} \
    -XX:AOTCacheOutput="$start_cache" -Xlog:disable \
    -cp "$(class_path standalone)" dev.tarn.standalone.command.Main serve --data "$folder" \
    --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 >/dev/null 2>&1 &
  pid=$!
  while [ ! -e "$folder/ready" ] && [ "$waited" -lt 300 ] && kill -0 "$pid" 2>/dev/null; do
    waited=$((waited + 1))
    sleep 0.1
  done
  kill "$pid" 2>/dev/null || true
  wait "$pid" || true
  rm -rf "$folder"
}

# Unpacks native code, which the JVM would else unpack anew at every start that needs it into the
# temporary folder, and leave there. Where the machine is not known the JVM does so.
unpack_native() {
  local index checksums machine
  case $(uname -s)-$(uname -m) in
    Linux-x86_64)
      index=librocksdbjni-linux64
      checksums=linux/x86_64
      machine=linux-x86_64
      ;;
    Linux-aarch64)
      index=librocksdbjni-linux-aarch64
      checksums=linux/armv8
      machine=linux-aarch_64
      ;;
    *) return 0 ;;
  esac
  rm -rf "$native_folder"
  mkdir -p "$native_folder"
  if is_musl; then
    unpack "rocksdbjni-[^/]*" "$index-musl.so" librocksdbjni.so
  else
    unpack "rocksdbjni-[^/]*" "$index.so" librocksdbjni.so
    unpack "aws-crt-[^/]*-$machine" "$checksums/glibc/libaws-crt-jni.so" libaws-crt-jni.so
  fi
}

# Takes the file $2 out of the jar of this name $1, as $3 in the folder of native code.
unpack() {
  local jar
  jar=$(tr ':' '\n' <"$home/standalone/target/classpath" | grep "/$1\.jar\$" | head -n 1 || true)
  [ -r "$jar" ] || return 0
  (cd "$native_folder" && "$java_home/bin/jar" --extract --file "$jar" "$2" && mv "$2" "$3") || true
}

is_musl() {
  compgen -G '/lib/ld-musl-*' >/dev/null
}

# Sets the options by which a JVM finds the native code that was unpacked. Asking here which C
# library there is saves the JVM a process.
find_native() {
  native=()
  if [ -r "$native_folder/librocksdbjni.so" ]; then
    native=(-Djava.library.path="$native_folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib")
    export ROCKSDB_MUSL_LIBC=false
    if is_musl; then
      ROCKSDB_MUSL_LIBC=true
    fi
  fi
}
