# What bin/tarn and bin/sharder share: find a JDK 25, build the modules that are not built, write the
# start cache of the server, start.
# They source this file after they have set $home to the checkout.

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

# Succeeds when module $1 is built and none of its sources is newer.
is_built() {
  local class_path="$home/$1/target/classpath"
  [ -r "$class_path" ] &&
    [ -n "$(jar_of "$1")" ] &&
    [ -z "$(find "$home"/pom.xml "$home"/*/pom.xml "$home"/*/src/main "$home"/console/src -newer "$class_path" -print 2>/dev/null | head -n 1)" ]
}

# What clean_up removes: the lock of this process, the process that is being recorded, the cache that it
# writes, and a temporary folder.
lock="$home/.build.lock"
training=
fresh=
scratch=

# Succeeds when process $1 runs, also when another user owns it.
is_alive() {
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ] || ps -p "$1" >/dev/null 2>&1
}

# Takes the lock of the build if it is free or its holder has ended. The link names its holder, so the
# lock of a killed build blocks nobody.
try_lock() {
  ln -s "$$" "$lock" 2>/dev/null && return
  holder=$(readlink "$lock" || true)
  [ -n "$holder" ] && ! is_alive "$holder" && break_lock "$holder" && ln -s "$$" "$lock" 2>/dev/null
}

# Waits for the lock of the build and takes it.
take_lock() {
  local waited=0 holder
  until try_lock; do
    if [ -z "$holder" ]; then
      if [ ! -w "$home" ]; then
        echo "$name: cannot build $home: this user cannot write to it; build it as its owner, or make it writable" >&2
        return 1
      fi
    elif [ "$waited" -eq 0 ]; then
      echo "$name: waiting for the build of process $holder" >&2
      waited=1
    fi
    sleep 0.2
  done
}

# Removes the lock if process $1, which has ended, still holds it. Only one process at a time may check
# and remove: two would remove the lock that a third has taken meanwhile. A process that was killed in
# between blocks the others for a minute.
break_lock() {
  if ! mkdir "$lock.breaking" 2>/dev/null; then
    if [ -n "$(find "$lock.breaking" -maxdepth 0 -mmin +1 2>/dev/null)" ]; then
      rmdir "$lock.breaking" 2>/dev/null || true
    fi
    return 0
  fi
  if [ "$(readlink "$lock" || true)" = "$1" ]; then
    rm -f "$lock"
  fi
  rmdir "$lock.breaking"
}

# Releases the lock if this process holds it.
release_lock() {
  if [ "$(readlink "$lock" || true)" = "$$" ]; then
    rm -f "$lock"
  fi
}

# Removes all temporary state, however this process ends.
clean_up() {
  discard_recording
  release_lock
}

# Runs "$@", which writes a cache, with the lock of the build. Without write permission, or while another
# process holds the lock, nothing is run: a start never waits for a cache and never fails without one.
locked() {
  local holder
  if [ -w "$home" ] && try_lock; then
    trap clean_up EXIT
    "$@" || echo "$name: the start cache was not written; starts work without it, only slower" >&2
    release_lock
    trap - EXIT
  fi
}

# Reads the output of Maven into file $1, and prints one line for each module that it builds.
show_progress() {
  local line module='^\[INFO\] Building (.*) [^ ]+ +\[([0-9]+)/([0-9]+)\]$'
  while IFS= read -r line; do
    line=${line//$'\e[0m'/}
    echo "$line" >>"$1"
    if [[ $line =~ $module ]]; then
      echo "$name: building ${BASH_REMATCH[1]} (${BASH_REMATCH[2]} of ${BASH_REMATCH[3]})"
    fi
  done
}

# Builds module $1 and the modules it depends on, unless it is built. Of two launchers at once, one builds.
build() {
  is_built "$1" && return
  if ! command -v mvn >/dev/null; then
    echo "$name: cannot build $home: mvn is not on the PATH; install Maven 3.8.7 or later" >&2
    return 1
  fi
  take_lock
  trap clean_up EXIT
  if ! is_built "$1"; then
    echo "$name: building $1 and its dependencies; this happens only after changes. The first build also downloads libraries." >&2
    # Sources that are edited from here on count as newer than the build.
    scratch=$(mktemp -d)
    : >"$scratch/begun"
    if ! (cd "$home" && JAVA_HOME=$java_home \
      MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}" \
      mvn -B -ntp -Dstyle.color=never -Pquick -pl "$1" -am package) 2>&1 |
      show_progress "$scratch/log" >&2; then
      grep -v '^\[INFO\]' "$scratch/log" >&2 || true
      echo "$name: the build failed: see the messages above; or run mvn verify in $home" >&2
      return 1
    fi
    if [ -z "$(jar_of "$1")" ] || [ ! -r "$home/$1/target/classpath" ]; then
      echo "$name: the build wrote no jar or no class path to $home/$1/target; run mvn verify in $home" >&2
      return 1
    fi
    touch -r "$scratch/begun" "$home/$1/target/classpath"
    rm -rf "$scratch"
    scratch=
    if [ "$1" = standalone ]; then
      record_start || echo "$name: the start cache was not written; starts work without it, only slower" >&2
    fi
  fi
  release_lock
  trap - EXIT
}

# Prints the jar of module $1; of several versions the newest.
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

# shellcheck source=bin/options.bash
. "$home/bin/options.bash"

# How much memory a server takes on a machine that it shares with other programs.
server_options+=(-Xms64m -Xmx256m -XX:MaxDirectMemorySize=384m)

start_cache="$home/standalone/target/tarn.aot"
native_folder="$home/standalone/target/native"

# Succeeds when no jar on the class path of module $1 is newer than file $2.
is_older() {
  local entry entries
  [ -r "$home/$1/target/classpath" ] || return 1
  IFS=: read -r -a entries <<<"$(class_path "$1")"
  for entry in "$home/$1/target/classpath" "${entries[@]}"; do
    if [ "$entry" -nt "$2" ]; then
      return 1
    fi
  done
}

# Succeeds when $2 was made from the current build of module $1 by this JDK. The JVM does not check that:
# it would run the old classes from the cache of an older build.
is_current() {
  [ -r "$2" ] && [ -r "$2.release" ] && [ "$2" -nt "$home/$1/target/classpath" ] &&
    is_older "$1" "$2" &&
    [ "$(<"$2.release")" = "$(<"$java_home/release")" ]
}

# Moves $1 to $2 and writes beside it which JDK made it. The latter comes last: a cache without it is
# ignored.
publish() {
  rm -f "$2.release" || return 1
  if [ -d "$2" ]; then
    rm -rf "$2" || return 1
  fi
  mv -f "$1" "$2" && cp "$java_home/release" "$2.release"
}

# Writes the cache $2 of module $1: $3 starts a JVM that writes $fresh, and fails if the JVM wrote none.
# The cache is discarded if the module was built again meanwhile. The caller holds the lock.
record() {
  local outcome=0
  if is_current "$1" "$2"; then
    return
  fi
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  rm -f "$2".[0-9]*
  fresh=$2.$$
  if scratch=$(mktemp -d) && : >"$scratch/begun" && "$3" && is_older "$1" "$scratch/begun"; then
    publish "$fresh" "$2" || outcome=1
  else
    outcome=1
  fi
  discard_recording
  trap - HUP INT TERM
  return "$outcome"
}

# Runs "$@" in the background as $training, in a process group of its own: discard_recording ends the
# whole group.
start_training() {
  set -m
  "$@" </dev/null >/dev/null 2>&1 &
  training=$!
  set +m
}

# Waits up to a minute for $training and returns its exit code.
await_training() {
  local waited=0 code=0
  while [ "$waited" -lt 600 ] && kill -0 "$training" 2>/dev/null; do
    waited=$((waited + 1))
    sleep 0.1
  done
  if kill -0 "$training" 2>/dev/null; then
    return 1
  fi
  wait "$training" 2>/dev/null || code=$?
  training=
  return "$code"
}

# Ends $training and removes its unfinished cache.
discard_recording() {
  if [ -n "$training" ]; then
    kill -KILL -- "-$training" 2>/dev/null || true
    wait "$training" 2>/dev/null || true
    training=
  fi
  if [ -n "$scratch" ]; then
    rm -rf "$scratch"
    scratch=
  fi
  if [ -n "$fresh" ]; then
    rm -rf "$fresh" "$fresh".*
    fresh=
  fi
}

# Succeeds when $training has finished its cache. Beside an unfinished one the JVM leaves its
# configuration.
is_recording_whole() {
  [ -e "$fresh" ] && [ ! -e "$fresh.config" ]
}

is_start_recorded() {
  is_current standalone "$start_cache"
}

# Writes the start cache of the server: its classes, already linked, and its native code, unpacked. Without
# the cache a server starts too, only slower.
record_start() {
  if is_start_recorded || [ ! -w "$home/standalone/target" ]; then
    return
  fi
  echo "$name: writing the start cache, which makes starts of the server fast..." >&2
  unpack_native || echo "$name: native code was not unpacked; the JVM unpacks it at each start, which is slower" >&2
  find_native
  record standalone "$start_cache" train_start
}

# Starts and ends a server without clients. It must not see the TARN_ variables of the caller: it would
# open the caller's disks and write the caller's ready file.
train_start() {
  local variable waited=0
  local quiet=(env)
  for variable in "${!TARN_@}"; do
    quiet+=(-u "$variable")
  done
  mkdir "$scratch/data" || return 1
  start_training "${quiet[@]}" "$java_home/bin/java" "${common[@]}" "${server_options[@]}" \
    ${native[@]+"${native[@]}"} \
    -XX:AOTCacheOutput="$fresh" -Xlog:disable \
    -cp "$(class_path standalone)" dev.tarn.standalone.command.Main serve --data "$scratch/data" \
    --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0
  while [ ! -e "$scratch/data/ready" ] && [ "$waited" -lt 300 ] && kill -0 "$training" 2>/dev/null; do
    waited=$((waited + 1))
    sleep 0.1
  done
  [ -e "$scratch/data/ready" ] || return 1
  # The JVM writes the cache as it ends; its exit code then names the signal.
  kill "$training" 2>/dev/null || true
  await_training || [ $? -eq 143 ] || return 1
  is_recording_whole
}

# Unpacks native code once. Otherwise the JVM unpacks it into the temporary folder at every start, and
# leaves it there; on machines that are not listed here it still does.
unpack_native() {
  local index checksums machine unpacked
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
  unpacked=$native_folder.$$
  rm -rf "$native_folder".[0-9]*
  mkdir "$unpacked" || return 1
  if is_musl; then
    unpack "rocksdbjni-[^/]*" "$index-musl.so" librocksdbjni.so
  else
    unpack "rocksdbjni-[^/]*" "$index.so" librocksdbjni.so
    unpack "aws-crt-[^/]*-$machine" "$checksums/glibc/libaws-crt-jni.so" libaws-crt-jni.so
  fi
  publish "$unpacked" "$native_folder"
}

# Extracts file $2 of the jar whose name matches $1 to $3 in the folder $unpacked.
unpack() {
  local jar
  jar=$(tr ':' '\n' <"$home/standalone/target/classpath" | grep "/$1\.jar\$" | head -n 1 || true)
  [ -r "$jar" ] || return 0
  (cd "$unpacked" && "$java_home/bin/jar" --extract --file "$jar" "$2" && mv "$2" "$3") || true
}

# Succeeds when the JDK uses the C library musl, whatever the rest of the machine uses.
is_musl() {
  grep -q '^LIBC="musl"' "$java_home/release"
}

# Sets the options by which a JVM finds the unpacked native code. To look for musl here saves the JVM a
# child process.
find_native() {
  native=()
  if is_current standalone "$native_folder" && [ -r "$native_folder/librocksdbjni.so" ]; then
    native=(-Djava.library.path="$native_folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}:/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib")
    if [ -z "${ROCKSDB_MUSL_LIBC:-}" ]; then
      export ROCKSDB_MUSL_LIBC=false
      if is_musl; then
        ROCKSDB_MUSL_LIBC=true
      fi
    fi
  fi
}
