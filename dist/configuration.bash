# Reads the parts of the configuration that the launcher needs to avoid overriding the user's settings.
# Sourced by dist/launch.

# Prints the role in the configuration file $1, or nothing.
role_in() {
  sed -nE "s/^role[[:space:]]*:[[:space:]]*[\"']?([A-Za-z]+).*/\1/p" "$1" | head -n 1
}

# Prints the number of disks in file $1. The list is on one line, or has one item on each line.
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

# Sets key $1 to $2 by its variable, unless the variable is set or the configuration file $3 sets a key
# with the same last name in the same section. A flag takes precedence in any case.
propose() {
  local variable=TARN_SET_$1
  variable=${variable//[.-]/_}
  variable=${variable^^}
  if [ -z "${!variable+set}" ] && ! mentions "$3" "${1%%.*}" "${1##*.}"; then
    export "$variable=$2"
  fi
}

# Succeeds if file $1 exists and sets a key that ends in $3 in section $2.
mentions() {
  [ -r "$1" ] && section_in "$1" "$2" | grep -qE "^([^#]*[^#a-z-])?$3[\"']?[[:space:]]*:"
}

# Prints the lines of file $1 in section $2, or in a document in braces.
section_in() {
  awk -v name="$2" '
    /^[^ \t#]/ { within = /^\{/ || match($0, "^[\"\047]?" name "[\"\047]?[ \t]*[.:]") }
    within
  ' "$1"
}
