# The server in a container:
#   docker build -t oriel .
#   docker run --rm -it -v oriel:/data oriel user add /data ada --grant '*=admin'
#   docker run -p 11211:11211 -v oriel:/data --read-only --tmpfs /tmp oriel
FROM eclipse-temurin:25-jdk AS build
RUN apt-get update && apt-get install -y --no-install-recommends maven && rm -rf /var/lib/apt/lists/*
WORKDIR /oriel
COPY . .
RUN ./mvnw -q -ntp -B -Dquick -Dmaven.test.skip=true -pl cli -am package

FROM eclipse-temurin:25-jre
RUN useradd --system --no-create-home --uid 10001 oriel && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=build /oriel/cli/target/quick/oriel-cli.jar /oriel/cli/target/quick/lib /opt/oriel/
USER 10001
VOLUME /data
EXPOSE 11211 11210 8091
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8091 && printf 'GET /health HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && grep -q up <&3"]
ENTRYPOINT ["java", "-XX:+UseSerialGC", "-Xms32m", "-XX:MaxNewSize=24m", "--enable-native-access=ALL-UNNAMED", "-cp", "/opt/oriel/*", "dev.oriel.cli.Main"]
CMD ["serve", "/data", "--host", "0.0.0.0", "--couchbase-port", "11210", "--http-port", "8091"]
