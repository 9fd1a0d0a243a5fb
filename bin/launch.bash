# What bin/tarn and bin/sharder share: find a JDK 25, build what is not built, start.
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
    ls "$home/$1/target/$1"-*.jar >/dev/null 2>&1 &&
    [ -z "$(find "$home"/pom.xml "$home"/*/pom.xml "$home"/*/src/main -newer "$class_path" -print 2>/dev/null | head -n 1)" ]
}

# Builds module $1 with what it needs, unless it is built. Two launchers at once build once.
build() {
  is_built "$1" && return
  if ! command -v mvn >/dev/null; then
    echo "$name: $home is not built, and there is no mvn on the PATH. Install Maven 3.8.7 or later." >&2
    return 1
  fi
  local waited=0 holder
  lock="$home/.build.lock"
  # The link names its holder, so that the lock of a build that was killed holds nobody up.
  until ln -s "$$" "$lock" 2>/dev/null; do
    holder=$(readlink "$lock" || true)
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      rm -f "$lock"
      continue
    fi
    if [ "$waited" -eq 0 ]; then
      echo "$name: waiting for the build of process $holder" >&2
      waited=1
    fi
    sleep 0.2
  done
  trap 'rm -f "$lock"' EXIT
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
    touch "$home/$1/target/classpath"
  fi
  rm -f "$lock"
  trap - EXIT
}

# Prints the class path of module $1.
class_path() {
  local jar
  for jar in "$home/$1/target/$1"-*.jar; do
    case $jar in
      *-tests.jar | *-sources.jar | *-javadoc.jar) ;;
      *) echo "$jar:$(cat "$home/$1/target/classpath")" ;;
    esac
  done
}
