@echo off
rem The oriel command on Windows, as the script oriel is elsewhere: with the Java runtime of a package, or in a checkout
rem with the java of JAVA_HOME or of the PATH. It builds nothing. JAVA_OPTS has further options for the JVM.
setlocal
set "root=%~dp0"
set "root=%root:~0,-1%"
set "home=%root%"
set "java=%root%\runtime\bin\java.exe"
if not exist "%java%" (
  set "home=%root%\cli\target\quick"
  set "java=java.exe"
  if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
)
if not exist "%home%\oriel-cli.jar" (
  echo Oriel is not built. Run: mvn -q -Dquick -Dmaven.test.skip=true -pl cli -am package 1>&2
  exit /b 1
)
set "agent="
set "options=-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
for %%c in (sql graph check backup restore compact import profile user) do if "%~1"=="%%c" set "options=-XX:+UseSerialGC"
if "%~1"=="gremlin" set "options=-XX:+UseSerialGC --add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED"
if "%~1"=="serve" set "options=-XX:+UseSerialGC -Xms32m -XX:MaxNewSize=24m -Xmx512m -XX:MaxDirectMemorySize=512m"
if "%~1"=="demo" set "options=-XX:+UseSerialGC"
if "%~1"=="demo" set agent="-javaagent:%home%\lib\oriel-profiler.jar"
"%java%" %options% %agent% --enable-native-access=ALL-UNNAMED "-Doriel.root=%root%" "-Doriel.command=%~f0" %JAVA_OPTS% -cp "%home%\oriel-cli.jar;%home%\lib\*" dev.oriel.cli.Main %*
