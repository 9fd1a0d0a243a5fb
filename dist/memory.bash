# Divides the memory limit of a container among the parts of a server.
# Sourced by dist/launch.
#
# The kernel kills a process that exceeds the limit. Therefore every part that grows with the load has a
# bound, and the bounds and the JVM's own memory together stay below the limit:
#
#   the JVM itself     code, classes, threads, the collector's and the compilers' own memory
#   heap               requests in flight, the newest index entries
#   direct, Java's     chunks of bodies on their way to the disk, buffers for reading and receiving
#   direct, Netty's    bytes on their way to and from sockets; has a separate bound
#   index              RocksDB's block cache, and its memtables
#   the rest           sockets and page tables; the page cache uses what remains
#
# A request that finds no free direct memory within these bounds is rejected as overload; the server
# keeps running.

mebibyte=1048576

# The JVM's own memory under load.
jvm_mib=112

# The memory of a command in the control node's container, such as `tarn cluster status`.
command_mib=80

# Memory for each processor: the JVM's threads that collect, compile and serve.
processor_mib=128

# Further parts of Java's direct memory: buffers for received requests, and a log batch for each disk.
received_mib=40
batch_mib=4

# Prints the memory limit of this container in MiB, or nothing if there is none. The limit is the
# smallest of the control group (version 1 or 2, files below folder $1) and its parents. File $2, in
# the form of /proc/self/cgroup, names the group.
memory_limit_mib() {
  local root=$1 hierarchy controllers path file value least=
  while IFS=: read -r hierarchy controllers path; do
    if [ "$hierarchy" = 0 ]; then
      file=memory.max
    elif [[ ,$controllers, == *,memory,* ]]; then
      root=$1/memory
      file=memory.limit_in_bytes
    else
      continue
    fi
    # Within a container the path may be the host's, which does not exist here.
    if [ ! -d "$root$path" ]; then
      path=
    fi
    while :; do
      if [ -r "$root$path/$file" ]; then
        value=$(<"$root$path/$file")
        # "No limit" is "max" in version 2, and close to the largest number in version 1.
        if [[ $value =~ ^[0-9]{1,15}$ ]] && { [ -z "$least" ] || [ "$value" -lt "$least" ]; }; then
          least=$value
        fi
      fi
      if [ -z "$path" ] || [ "$path" = / ]; then
        break
      fi
      path=${path%/*}
    done
    root=$1
  done <"$2"
  if [ -n "$least" ]; then
    echo $((least / mebibyte))
  fi
}

# Prints how many processors a container may use: by its control group below folder $1 and its affinity.
processors() {
  local quota=max period=100000 most
  most=$(nproc)
  if [ -r "$1/cpu.max" ]; then
    read -r quota period <"$1/cpu.max"
  elif [ -r "$1/cpu/cpu.cfs_quota_us" ]; then
    quota=$(<"$1/cpu/cpu.cfs_quota_us")
    period=$(<"$1/cpu/cpu.cfs_period_us")
  fi
  if [[ $quota =~ ^[0-9]+$ ]]; then
    most=$(within $(((quota + period - 1) / period)) 1 "$most")
  fi
  echo "$most"
}

# Prints $1, limited to the range $2 to $3.
within() {
  if [ "$1" -lt "$2" ]; then
    echo "$2"
  elif [ "$1" -gt "$3" ]; then
    echo "$3"
  else
    echo "$1"
  fi
}

# Divides a limit of $1 MiB for role $2 with $3 disks. Sets heap_mib, direct_mib and netty_mib, and for
# a store index_mib of each disk, chunks, kept_mib and checkpoint_records.
divide_memory() {
  local limit=$1 role=$2 disks=$3 room spare
  room=$(within $((limit - limit / 16 - jvm_mib)) 64 $((1 << 30)))
  index_mib=
  case $role in
    gateway)
      heap_mib=$(within $((room * 35 / 100)) 40 1024)
      direct_mib=$(within $((room * 25 / 100)) $((received_mib + 4)) 384)
      netty_mib=$(within $((room * 40 / 100)) 24 1024)
      ;;
    control)
      room=$(within $((room - command_mib)) 64 $((1 << 30)))
      heap_mib=$(within $((room * 60 / 100)) 40 1024)
      direct_mib=$(within $((room * 15 / 100)) 24 128)
      netty_mib=$(within $((room * 25 / 100)) 16 256)
      ;;
    *)
      heap_mib=$(within $((room * 28 / 100)) 40 512)
      direct_mib=$(within $((room * 38 / 100)) $((received_mib + batch_mib * disks + 16)) 768)
      netty_mib=$(within $((room * 16 / 100)) 20 384)
      # A third of the index's part is for memtables.
      index_mib=$(within $((room * 18 * 2 / 300 / disks)) 4 4096)
      checkpoint_records=$(within $((limit * 50 / disks)) 2000 50000)
      spare=$((direct_mib - received_mib - batch_mib * disks))
      chunks=$(within $((spare / 2)) 8 128)
      kept_mib=$(within $((spare / 32)) 1 16)
      ;;
  esac
}
