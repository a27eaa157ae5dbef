# Whereabouts in one image: the portal, its API and, by default, the local stack.
#
#   docker build -t whereabouts .
#   docker run -p 127.0.0.1:8080:8080 -e CONTROL_TOKEN=$(openssl rand -hex 24) whereabouts
#
# A public demo with a world for each visitor (docs/demo.md), which needs no token:
#
#   docker run -p 127.0.0.1:8080:8080 -e MODE=demo whereabouts
#
# Production (settings in the README) is the same image with another command; it holds no mock part:
#
#   docker run --read-only --cap-drop=ALL --security-opt=no-new-privileges -v whereabouts:/data -v /tmp -e NODE_ENV=production -e TRUST_PROXY=1 \
#     -e PORTAL_ORIGIN=… -e SMTP_URL=… -e MAIL_FROM=… -e STRIPE_SECRET_KEY=… … whereabouts node dist/server/main.js
#
# Prices are set by the same image: whereabouts node dist/server/operator.js prices FILE.

# Node 22 loads the ready-made SQLite driver, so the install scripts (a compiler run) can be left out. The tools are
# here for a platform without a ready-made binary.
FROM node:22-bookworm-slim AS deps
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY db/sqlite/node20 db/sqlite/node20
RUN npm ci --ignore-scripts && node -e "new (require('better-sqlite3-napi'))(':memory:')" || npm ci

FROM deps AS build
COPY . .
RUN npm run build

FROM deps AS runtime-deps
RUN npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
WORKDIR /app
# The last one makes the C library give the memory of deleted worlds and closed files back to the system.
ENV PORT=8080 HOST=0.0.0.0 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=131072
COPY --from=runtime-deps /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
COPY db/migrations db/migrations
COPY db/postgres/migrations db/postgres/migrations
# Names on the map in pictures; the image itself has no font.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The local stack. It refuses to start on a public address without CONTROL_TOKEN (24 characters or more).
CMD ["node", "dist/server/mock.js"]
