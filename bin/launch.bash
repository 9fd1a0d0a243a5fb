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

# What this process has under way, for clean_up: the lock it holds, the server or the tool whose start
# is being recorded, where that goes, and a temporary folder.
lock="$home/.build.lock"
training=
fresh=
scratch=

# Succeeds when process $1 runs, be it another user's.
is_alive() {
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ] || ps -p "$1" >/dev/null 2>&1
}

# Takes the lock of the build if it is free or its holder has ended. The link names its holder, so
# that the lock of a build that was killed holds nobody up.
try_lock() {
  ln -s "$$" "$lock" 2>/dev/null && return
  holder=$(readlink "$lock" || true)
  [ -n "$holder" ] && ! is_alive "$holder" && break_lock "$holder" && ln -s "$$" "$lock" 2>/dev/null
}

# Takes the lock of the build, and waits for it.
take_lock() {
  local waited=0 holder
  until try_lock; do
    if [ -z "$holder" ]; then
      if [ ! -w "$home" ]; then
        echo "$name: $home is not built, and this user cannot write to it. Build it as its owner, or make it writable." >&2
        return 1
      fi
    elif [ "$waited" -eq 0 ]; then
      echo "$name: waiting for the build of process $holder" >&2
      waited=1
    fi
    sleep 0.2
  done
}

# Removes the lock if it is still that of process $1, which has ended. One at a time may look and
# remove, or the lock that another has taken meanwhile would be gone; one that was killed while it
# did is waited for no longer than a moment.
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

# Gives the lock back if it is this process's.
release_lock() {
  if [ "$(readlink "$lock" || true)" = "$$" ]; then
    rm -f "$lock"
  fi
}

# Leaves nothing behind, however this process ends.
clean_up() {
  discard_recording
  release_lock
}

# Runs "$@", which records something, with the lock of the build. Whoever may not write there, or finds
# that another holds the lock, does without: a start never waits for a record and never fails for it.
locked() {
  local holder
  if [ -w "$home" ] && try_lock; then
    trap clean_up EXIT
    "$@" || echo "$name: could not record what a start needs; it goes on without" >&2
    release_lock
    trap - EXIT
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
  trap clean_up EXIT
  if ! is_built "$1"; then
    echo "$name: building $1 and what it needs (only after changes)..." >&2
    # What is edited from here on is newer than what is built.
    scratch=$(mktemp -d)
    : >"$scratch/begun"
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
    touch -r "$scratch/begun" "$home/$1/target/classpath"
    rm -rf "$scratch"
    scratch=
    if [ "$1" = standalone ]; then
      record_start || echo "$name: could not record what a start needs; it goes on without" >&2
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

# shellcheck source=bin/options.bash
. "$home/bin/options.bash"

# How much memory a server has on a machine that it shares.
server_options+=(-Xms64m -Xmx256m -XX:MaxDirectMemorySize=384m)

start_cache="$home/standalone/target/tarn.aot"
native_folder="$home/standalone/target/native"

# Succeeds when nothing that module $1 is started from is newer than file $2.
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

# Succeeds when $2 was made from module $1 as it is now built, and by this JDK. The JVM does not ask:
# from the cache of an older build it would run the old classes.
is_current() {
  [ -r "$2" ] && [ -r "$2.release" ] && [ "$2" -nt "$home/$1/target/classpath" ] &&
    is_older "$1" "$2" &&
    [ "$(<"$2.release")" = "$(<"$java_home/release")" ]
}

# Puts $1 into the place of $2, and beside it which JDK made it: last, since without that it does not
# count.
publish() {
  rm -f "$2.release" || return 1
  if [ -d "$2" ]; then
    rm -rf "$2" || return 1
  fi
  mv -f "$1" "$2" && cp "$java_home/release" "$2.release"
}

# Makes the cache $2 of module $1: $3 starts a JVM that writes $fresh, and fails when that came to
# nothing. It counts only when the module was not built anew meanwhile. The lock must be held.
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

# Runs "$@" in the background as $training, with its children in a process group of its own, so that
# none of them outlives this process.
start_training() {
  set -m
  "$@" </dev/null >/dev/null 2>&1 &
  training=$!
  set +m
}

# Waits for the end of $training, with its exit code, but not for ever.
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

# Ends $training and removes what it was to leave.
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

# Succeeds when $training has left a cache whole. The JVM leaves its configuration beside one that it
# could not finish.
is_recording_whole() {
  [ -e "$fresh" ] && [ ! -e "$fresh.config" ]
}

is_start_recorded() {
  is_current standalone "$start_cache"
}

# Records what a start of the server needs: its classes, already linked, in a cache that later
# starts map, and native code unpacked. Without a record a server starts too, only slower.
record_start() {
  if is_start_recorded || [ ! -w "$home/standalone/target" ]; then
    return
  fi
  echo "$name: recording what a start of the server needs, so that starts are quick..." >&2
  unpack_native || echo "$name: could not unpack native code; the JVM will at each start" >&2
  find_native
  record standalone "$start_cache" train_start
}

# A server of its own that serves nobody: what the environment says to servers is not for it, or it
# would open the caller's disks and announce itself in the caller's ready file.
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
  # It records as it ends, and then says that a signal ended it.
  kill "$training" 2>/dev/null || true
  await_training || [ $? -eq 143 ] || return 1
  is_recording_whole
}

# Unpacks native code, which the JVM would else unpack anew at every start that needs it into the
# temporary folder, and leave there. Where the machine is not known the JVM does so.
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

# Takes the file $2 out of the jar of this name $1, as $3 in the folder $unpacked.
unpack() {
  local jar
  jar=$(tr ':' '\n' <"$home/standalone/target/classpath" | grep "/$1\.jar\$" | head -n 1 || true)
  [ -r "$jar" ] || return 0
  (cd "$unpacked" && "$java_home/bin/jar" --extract --file "$jar" "$2" && mv "$2" "$3") || true
}

# Succeeds when the JDK is one for musl, whatever else the machine has.
is_musl() {
  grep -q '^LIBC="musl"' "$java_home/release"
}

# Sets the options by which a JVM finds the native code that was unpacked. Asking here which C
# library there is saves the JVM a process.
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
