# syntax=docker/dockerfile:1

# Two images from one file: `service` (the default) runs in production; `demo` adds the sandbox and the example caller, for
# trials only.
#
#   docker build --tag social-accounts .
#   docker run --init social-accounts api

# Not Alpine, because the SDK's native library needs glibc. Pin a digest if builds must be reproducible.
FROM node:24-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/


FROM base AS build
RUN --mount=type=cache,target=/npm-cache npm ci --cache /npm-cache --include=dev
COPY . .
# The user of the image reads the files, also if the umask of the checkout was strict.
RUN find . -path ./node_modules -prune -o -exec chmod a+rX {} + && npm run build


# Production's node_modules. The native library comes for five platforms; the image keeps one.
FROM base AS packages
RUN --mount=type=cache,target=/npm-cache npm ci --cache /npm-cache --omit=dev \
 && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
      ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +


FROM build AS demo
RUN mkdir /data && chown node:node /data
# The image's user `node`, as a number, so that a host can check that it is not root.
USER 1000
CMD ["node", "sandbox/dist/main.js"]


FROM node:24-bookworm-slim AS service
ENV NODE_ENV=production \
    NODE_OPTIONS=--enable-source-maps
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/package.json /app/LICENSE /app/ops/healthcheck.mjs ./
COPY --from=build /app/migrations migrations
COPY --from=build /app/ops/postgres/roles.sql ops/postgres/roles.sql
COPY --from=build /app/dist dist

ARG VERSION=development
LABEL org.opencontainers.image.title="Social Account Connection Service" \
      org.opencontainers.image.description="Links end users' accounts at social platforms and reads from them." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"

# The program writes nothing below /app: the file system may be read-only.
USER 1000
EXPOSE 8080 8081 8082
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "healthcheck.mjs"]
# Run it under an init (`docker run --init`, `init: true`): PID 1 ignores signals until it installs handlers.
ENTRYPOINT ["node", "dist/main.js"]
CMD ["api"]
