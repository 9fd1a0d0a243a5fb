# What the launcher has to know of the configuration: enough of it to keep out of its way.
# Sourced by container/launch.

# Prints the role that file $1 gives, or nothing.
role_in() {
  sed -nE "s/^role[[:space:]]*:[[:space:]]*[\"']?([A-Za-z]+).*/\1/p" "$1" | head -n 1
}

# Prints how many disks file $1 names: a list on one line, or one item a line.
disks_in() {
  awk '
    /^disks[ \t]*:/ {
      within = 1
      if ($0 ~ /\[.*[^ \t[].*\]/) { count = gsub(/,/, ",") + 1 }
      next
    }
    within && /^[ \t]*-[ \t]/ { count++; next }
    within && /^[ \t]*(#|$)/ { next }
    { within = 0 }
    END { print count + 0 }
  ' "$1"
}

# Sets key $1 to $2 by its variable, unless that is set or file $3 of the configuration sets a key of
# the same last name in the same section. A flag wins anyway.
propose() {
  local variable=TARN_SET_$1
  variable=${variable//[.-]/_}
  variable=${variable^^}
  if [ -z "${!variable+set}" ] && ! mentions "$3" "${1%%.*}" "${1##*.}"; then
    export "$variable=$2"
  fi
}

# Succeeds when there is a file $1 that sets, in section $2, a key ending in $3.
mentions() {
  [ -r "$1" ] && section_in "$1" "$2" | grep -qE "^([^#]*[^#a-z-])?$3[\"']?[[:space:]]*:"
}

# Prints the lines of file $1 that belong to section $2, or to a document in braces.
section_in() {
  awk -v name="$2" '
    /^[^ \t#]/ { within = /^\{/ || match($0, "^[\"\047]?" name "[\"\047]?[ \t]*[.:]") }
    within
  ' "$1"
}
