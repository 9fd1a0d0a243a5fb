# The image for all roles: bin/tarn and bin/sharder with their own JVM. See docs/DEPLOYMENT.md.

FROM node:22-slim AS console
WORKDIR /src/console
COPY console/package.json console/package-lock.json ./
RUN npm ci --no-audit --no-fund && touch node_modules/.package-lock.json
COPY console .
COPY gateway/src/main/resources/dev/tarn/gateway/admin/openapi.json ../gateway/src/main/resources/dev/tarn/gateway/admin/
RUN ./build

FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
# Dependencies come first: their layer is reused until a pom changes.
COPY pom.xml ./
COPY .mvn .mvn
COPY benchmarks/pom.xml benchmarks/
COPY bom/pom.xml bom/
COPY client-sdk/pom.xml client-sdk/
COPY client-sdk-djl/pom.xml client-sdk-djl/
COPY client-sdk-micrometer/pom.xml client-sdk-micrometer/
COPY cluster/pom.xml cluster/
COPY console/pom.xml console/
COPY dist/pom.xml dist/
COPY e2e/pom.xml e2e/
COPY gateway/pom.xml gateway/
COPY shard-format/pom.xml shard-format/
COPY sharder/pom.xml sharder/
COPY standalone/pom.xml standalone/
COPY target-node/pom.xml target-node/
COPY test-fixtures/pom.xml test-fixtures/
COPY transport/pom.xml transport/
RUN mvn -B -q -ntp -Dconsole.skip -pl standalone -am dependency:go-offline
COPY client-sdk/src client-sdk/src
COPY cluster/src cluster/src
COPY --from=console /src/console/dist console/dist
COPY gateway/src gateway/src
COPY shard-format/src shard-format/src
COPY sharder/src sharder/src
COPY standalone/src standalone/src
COPY target-node/src target-node/src
COPY test-fixtures/src test-fixtures/src
COPY transport/src transport/src
COPY helm/tarn/files/dashboard.json helm/tarn/files/
RUN mvn -B -q -ntp -Pquick -Dconsole.skip -pl standalone -am package
COPY bin bin
COPY dist dist
RUN dist/assemble standalone /opt/tarn
RUN dist/link-runtime /opt/tarn/lib /opt/tarn/runtime

FROM debian:12-slim AS installed
COPY --from=build /opt/tarn /opt/tarn
COPY LICENSE NOTICE /opt/tarn/
RUN echo 'tarn:x:10001:' >>/etc/group \
    && echo 'tarn:x:10001:10001::/data:/usr/sbin/nologin' >>/etc/passwd \
    && install -d -o tarn -g tarn -m 0750 /data \
    && ln -s /opt/tarn/bin/tarn /usr/local/bin/tarn \
    && ln -s /opt/tarn/bin/sharder /usr/local/bin/sharder \
    && ln -s /opt/tarn/lib/healthy /usr/local/bin/tarn-healthy
ENV LANG=C.UTF-8 \
    TARN_CONTAINER=1 \
    TARN_SET_DATA=/data
USER 10001:10001

# The recorded start must use the same files, JVM, user and options as later starts.
FROM installed AS recorded
RUN /opt/tarn/lib/record-start /tmp/tarn.aot

FROM installed
COPY --from=recorded --chown=0:0 /tmp/tarn.aot /opt/tarn/lib/tarn.aot
ARG VERSION=0.2.0
ARG REVISION=
ARG SOURCE=
LABEL org.opencontainers.image.title="Tarn" \
      org.opencontainers.image.description="An S3-compatible caching object store with dataset sharding" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.source="$SOURCE"
VOLUME /data
# S3, admin, control, a target's internal listener, and direct reads.
EXPOSE 9000 9001 9400 9100 9101
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=168h CMD ["tarn-healthy"]
ENTRYPOINT ["tarn"]
CMD ["serve"]
