# The server in a container:
#   docker build -t oriel .
#   docker run --rm -it -v oriel:/data oriel user add /data ada --grant '*=admin'
#   docker run --stop-timeout 30 -p 11211:11211 -v oriel:/data --read-only --tmpfs /tmp oriel
# Without --stop-timeout, docker stop kills the server after 10 seconds; the next start recovers then.
# Options for the JVM: -e JAVA_OPTS=-Xmx2g. Without any, heap and memory beside it have 512 MB each at most.
#
# The base has its full version and no digest: a digest would keep the fixes of the system below the same Java out
# until somebody changes it here. To pin one: docker buildx imagetools inspect eclipse-temurin:25.0.3_9-jre
FROM eclipse-temurin:25.0.3_9-jdk AS build
RUN apt-get update && apt-get install -y --no-install-recommends maven && rm -rf /var/lib/apt/lists/*
WORKDIR /oriel
COPY . .
RUN ./mvnw -q -ntp -B -Dquick -Dmaven.test.skip=true -pl cli -am package

FROM eclipse-temurin:25.0.3_9-jre
RUN useradd --system --no-create-home --uid 10001 oriel && install -d -o 10001 -g 10001 -m 0700 /data \
  && mkdir /opt/oriel && ln -s "$JAVA_HOME" /opt/oriel/runtime
COPY --from=build /oriel/oriel /oriel/cli/target/quick/oriel-cli.jar /opt/oriel/
COPY --from=build /oriel/cli/target/quick/lib /opt/oriel/lib/
USER 10001
VOLUME /data
EXPOSE 11211 11210 8091
STOPSIGNAL SIGTERM
# By the admin socket, so it works with TLS and with any ports. The JVM of the check has limits of its own.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["env", "JAVA_OPTS=-Xmx64m", "/opt/oriel/oriel", "admin", "status", "/data"]
ENTRYPOINT ["/opt/oriel/oriel"]
CMD ["serve", "/data", "--host", "0.0.0.0", "--couchbase-port", "11210", "--http-port", "8091"]
