# One image for all services and commands, such as api, worker, migrate, and doctor.
#   docker build -t corrigenda:local .
#   docker run --rm corrigenda:local --help
ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS build
ARG PNPM_VERSION=12.21.0
ENV CI=true \
    CHECKPOINT_DISABLE=1 \
    DO_NOT_TRACK=1 \
    TURBO_TELEMETRY_DISABLED=1
RUN npm install --global pnpm@${PNPM_VERSION}
WORKDIR /app
# Downloads depend only on the lockfile, so this layer is cached until the lockfile changes.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline && pnpm build
# Removes tools, the test kit, the demo (only `serve` and `quickstart` load it), and optional packages
# (embedded Postgres, the Prisma command line, and native accelerators).
RUN find . -name node_modules -prune -exec rm -rf {} + \
 && pnpm install --prod --no-optional --frozen-lockfile --offline --filter-prod '@corrigenda/cli...' --filter-prod '!@corrigenda/demo' \
 && rm -rf packages/demo packages/testkit apps/cli/node_modules/@corrigenda/demo node_modules/.pnpm/node_modules/@corrigenda/demo \
 && find apps packages -mindepth 2 -maxdepth 2 ! -name dist ! -name node_modules ! -name package.json -exec rm -rf {} + \
 && find node_modules/.pnpm/@prisma+client@* -path '*/runtime/*' \
      \( -name '*.cockroachdb.*' -o -name '*.mysql.*' -o -name '*.sqlite.*' -o -name '*.sqlserver.*' \
         -o -name 'query_compiler_fast*' \) -delete \
 && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.tsbuildinfo' \) -delete \
 && chmod 755 apps/cli/dist/main.js

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Corrigenda" \
      org.opencontainers.image.description="Turns a prompt into a pull request on a documentation repository" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    CHECKPOINT_DISABLE=1 \
    DO_NOT_TRACK=1 \
    CACHE_DIR=/var/cache/corrigenda
WORKDIR /app
# WITH_LINTERS=1 installs the prose linter Vale and the spell checker cspell. The installation of
# Vale downloads its program from GitHub.
ARG WITH_LINTERS=
RUN if [ "$WITH_LINTERS" = 1 ]; then npm install --global cspell@10.4.1 @vvago/vale@3.23.0 && npm cache clean --force; fi
# The program is owned by root and read-only for the user that runs it. A new volume mounted on the
# cache folder inherits the folder's owner.
# A process whose program is not readable hides its environment and memory from other processes of
# its user, such as the linters that a worker runs.
RUN install -d -o 1000 -g 1000 -m 700 /var/cache/corrigenda \
 && chmod 711 "$(readlink -f "$(command -v node)")" \
 && ln -s /app/apps/cli/dist/main.js /usr/local/bin/corrigenda
COPY --from=build /app/LICENSE /app/NOTICE /app/package.json ./
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/apps ./apps
USER 1000:1000
# V8 keeps up to 48 MB for new objects by default. 4 MB per half does not slow requests down.
# An absolute path, because `docker run -w` sets another working folder.
ENTRYPOINT ["node", "--max-semi-space-size=8", "/app/apps/cli/dist/main.js"]
CMD ["--help"]
