# The clients' environment and a client's day, shared by run and rack.
# Sourced by them in this folder, after $top has been set to the checkout and $work to an empty folder.
# shellcheck shell=bash

cache=${TARN_CLIENT_CACHE:-$PWD/.cache}
every_client=(boto3 boto3-old aws-v1 aws-v2 s3cmd rclone js minio-js minio-java java-sync java-async java-crt mc minio-go s5cmd
  restic s3a pyarrow polars pandas s3fs-fuse deltalake tensorstore s3torch s3torch-cpu)
outcomes="$work/outcomes" # a line for each day: ok or failed
results="$work/results"   # a line for each day, with tabs: client, place, ok or FAILED, version, notes
java= java_class_path=   # set where a Java client is prepared
: > "$outcomes"
: > "$results"

export AWS_EC2_METADATA_DISABLED=true PYTHONWARNINGS=ignore LC_ALL=C.UTF-8
export AWS_CONFIG_FILE="$work/none" AWS_SHARED_CREDENTIALS_FILE="$work/none"
export PYTHON="$cache/python/bin/python" # has boto3: it makes buckets for tools that cannot
unset AWS_PROFILE AWS_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_CA_BUNDLE

prepare_clients() { # prepare_clients FILES LARGE_MIB CLIENT...: installs them, and makes what they upload
  export INPUT="$work/input"
  python3 make_input.py "$INPUT" "$1" "$2"
  shift 2
  ./install "$@"
  [ ! -d "$cache/js" ] || cp js/*.mjs "$cache/js/"
  [[ " $* " != *java* ]] || prepare_java
}

prepare_java() { # the Java days are test classes of e2e
  java=$(
    # shellcheck disable=SC2034
    home=$top name=run
    . "$top/bin/launch.bash"
    find_java_home
  )/bin/java
  local class_path="$top/e2e/target/test-classpath"
  if [ ! -r "$class_path" ] || [ -n "$(find "$top"/e2e/src "$top"/e2e/pom.xml -newer "$class_path" -print -quit)" ]; then
    (cd "$top" && mvn -B -q -ntp package -pl e2e -am -DskipTests -Denforcer.skip -Dsort.skip -Dexec.skip \
      -Dmodernizer.skip -Dmdep.analyze.skip)
  fi
  java_class_path="$top/e2e/target/test-classes:$(cat "$class_path")"
}

command_of() { # command_of CLIENT: sets command to what spends its day
  case "$1" in
    boto3) command=("$cache/python/bin/python" boto3_day.py) ;;
    boto3-old) command=("$cache/python-old/bin/python" boto3_day.py) ;;
    aws-v1) command=(env AWS="$cache/python/bin/aws" ./aws_cli_day) ;;
    aws-v2) command=(env AWS=/usr/bin/aws ./aws_cli_day) ;;
    s3cmd) command=(./s3cmd_day) ;;
    rclone) command=(./rclone_day) ;;
    js) command=(node "$cache/js/aws_day.mjs") ;;
    minio-js) command=(node "$cache/js/minio_day.mjs") ;;
    minio-java | java-*) command=("$java" -Xmx3g --enable-native-access=ALL-UNNAMED -cp "$java_class_path"
      dev.tarn.e2e.clients.JavaDay "$1") ;;
    mc) command=(env MC="$cache/go/mc" ./mc_day) ;;
    minio-go) command=("$cache/go/minio-go") ;;
    s5cmd) command=(env S5CMD="$cache/go/s5cmd" ./s5cmd_day) ;;
    restic) command=(./restic_day) ;;
    s3a) command=(env CACHE="$cache" s3a/day) ;;
    pyarrow | polars | pandas) command=("$cache/python-tables/bin/python" tables_day.py "$1") ;;
    s3fs-fuse) command=(./s3fs_fuse_day) ;;
    deltalake | tensorstore) command=("$cache/python-tables/bin/python" "$1_day.py") ;;
    s3torch | s3torch-cpu) command=("$cache/python-$1/bin/python" s3torch_day.py) ;;
    demo) command=(env AWS="$cache/python/bin/aws" ./demo_day) ;;
    *) echo "unknown client $1: one of ${every_client[*]}"; exit 2 ;;
  esac
}

day() { # day CLIENT PLACE ENDPOINT [CERTIFICATE]: a client's day at a place, told in a line and kept in $results
  local client=$1 place=$2 begin=$SECONDS log="$work/$1-$2.log" command outcome
  command_of "$client"
  mkdir -p "$work/$client-$place"
  if (
    export BUCKET="day-$client-$place" WORK="$work/$client-$place" ENDPOINT=$3
    [ $# -lt 4 ] || export AWS_CA_BUNDLE=$4 NODE_EXTRA_CA_CERTS=$4 SSL_CERT_FILE=$4
    timeout "${day_max_seconds:-600}" "${command[@]}"
  ) > "$log" 2>&1; then
    outcome=ok
    printf '%-11s %-10s ok      %3d s\n' "$client" "$place" $((SECONDS - begin))
  else
    outcome=FAILED
    printf '%-11s %-10s FAILED  %3d s\n%s\n' "$client" "$place" $((SECONDS - begin)) "$(tail -30 "$log")"
  fi
  echo "${outcome,,}" >> "$outcomes"
  printf '%s\t%s\t%s\t%s\t%s\n' "$client" "$place" "$outcome" "$(told version "$log")" "$(told note "$log")" >> "$results"
  rm -rf "$work/$client-$place"
}

told() { # told WHAT LOG: prints the lines of a day's log with this prefix
  sed -n "s/^$1: //p" "$2" | paste -sd';' | sed 's/; */; /g'
}

conclude() { # the last line; fails when a day has failed
  local failed
  failed=$(grep -c failed "$outcomes" || true)
  echo "$(grep -c ok "$outcomes" || true) passed, $failed failed"
  [ "$failed" = 0 ]
}
