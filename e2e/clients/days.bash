# What run and rack share: the clients' environment, and a client's day.
# Sourced by them in this folder, after $top has been set to the checkout and $work to an empty folder.
# shellcheck shell=bash

cache=${TARN_CLIENT_CACHE:-$PWD/.cache}
every_client=(boto3 aws-v1 aws-v2 rclone s3cmd js)
outcomes="$work/outcomes" # a line for each day: ok or failed
: > "$outcomes"

export AWS_EC2_METADATA_DISABLED=true PYTHONWARNINGS=ignore LC_ALL=C.UTF-8
export AWS_CONFIG_FILE="$work/none" AWS_SHARED_CREDENTIALS_FILE="$work/none"
unset AWS_PROFILE AWS_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_CA_BUNDLE

prepare_clients() {
  ./install
  cp js/day.mjs "$cache/js/day.mjs"
}

command_of() { # command_of CLIENT: sets command to what spends its day
  case "$1" in
    boto3) command=("$cache/python/bin/python" boto3_day.py) ;;
    aws-v1) command=(env AWS="$cache/python/bin/aws" ./aws_cli_day) ;;
    aws-v2) command=(env AWS=/usr/bin/aws ./aws_cli_day) ;;
    rclone) command=(./rclone_day) ;;
    s3cmd) command=(./s3cmd_day) ;;
    js) command=(node "$cache/js/day.mjs") ;;
    demo) command=(env AWS="$cache/python/bin/aws" ./demo_day) ;;
    *) echo "unknown client $1: one of ${every_client[*]}"; exit 2 ;;
  esac
}

day() { # day CLIENT PLACE ENDPOINT [CERTIFICATE]: a client's day at a place, told in a line and in $outcomes
  local client=$1 place=$2 begin=$SECONDS log="$work/$1-$2.log" command
  command_of "$client"
  mkdir -p "$work/$client-$place"
  if (
    export BUCKET="day-$client-$place" WORK="$work/$client-$place" ENDPOINT=$3
    [ $# -lt 4 ] || export AWS_CA_BUNDLE=$4 NODE_EXTRA_CA_CERTS=$4
    timeout 300 "${command[@]}"
  ) > "$log" 2>&1; then
    echo ok >> "$outcomes"
    printf '%-8s %-10s ok      %3d s\n' "$client" "$place" $((SECONDS - begin))
  else
    echo failed >> "$outcomes"
    printf '%-8s %-10s FAILED  %3d s\n%s\n' "$client" "$place" $((SECONDS - begin)) "$(tail -30 "$log")"
  fi
  rm -rf "$work/$client-$place"
}

conclude() { # the last line; fails when a day has failed
  local failed
  failed=$(grep -c failed "$outcomes" || true)
  echo "$(grep -c ok "$outcomes" || true) passed, $failed failed"
  [ "$failed" = 0 ]
}
