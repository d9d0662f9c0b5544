# Kestrel Payouts: one image for every role (api, worker, migrate, bank and all other commands).
#   docker build -t kestrel .        docker run --read-only -e DATABASE_URL=… kestrel api
# The first stage builds; the second has Node, the program and nothing else: no shell, no npm, not root.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --include=dev --ignore-scripts
RUN npm rebuild esbuild
RUN npm run build:dashboard
RUN npm run image:pack -- /image

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /image /app
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 ADMIN_HOST=0.0.0.0 DATA_DIR=/data
EXPOSE 3000 9464
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/node", "/app/packages/server/dist/kestrel.mjs"]
CMD ["api"]
