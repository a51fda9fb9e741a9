#!/bin/sh
# Prints the home of a JDK of release 25 or later: $JAVA_HOME, the javac on the PATH, then the oldest
# fitting one of the usual folders. Starts no JVM.
wanted=25
examine() { # sets major to the release of the JDK at $1, 0 where none is
  major=0
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  while IFS='="' read -r key skipped value rest; do
    [ "$key" = JAVA_VERSION ] || continue
    major=${value%%[!0-9]*}
    [ -n "$major" ] || major=0
    return 0
  done <"$1/release"
}
take() {
  examine "$1"
  [ "$major" -lt "$wanted" ] || { printf '%s\n' "$1"; exit 0; }
}
[ -z "${JAVA_HOME-}" ] || take "$JAVA_HOME"
if onpath=$(command -v javac) && onpath=$(readlink -f "$onpath" 2>/dev/null); then take "${onpath%/bin/javac}"; fi
best='' bestMajor=9999
for home in /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/hostedtoolcache/Java_*/*/x64 \
  "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* "${HOME-}"/.asdf/installs/java/* \
  /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
  /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
  examine "$home"
  if [ "$major" -ge "$wanted" ] && [ "$major" -lt "$bestMajor" ]; then best=$home bestMajor=$major; fi
done
[ -z "$best" ] || { printf '%s\n' "$best"; exit 0; }
echo "Oriel needs a JDK $wanted or later and found none: install one, or set JAVA_HOME to the one that lies in an unusual place." >&2
exit 1
