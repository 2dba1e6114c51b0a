# One image for every role: the command says which one runs, `start` (all of them, embedded stores) where nothing is said.
FROM node:22.23.3-slim

ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 OPS_HOST=0.0.0.0
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .

# `dao-indexer` on the path, for `docker compose exec` too. A devnet beside it leaves its settings in /devnet.
RUN printf '#!/bin/sh\nexec node --env-file-if-exists=/devnet/service.env --import tsx /app/cli.ts "$@"\n' \
      > /usr/local/bin/dao-indexer \
 && chmod 755 /usr/local/bin/dao-indexer \
 && mkdir /data /devnet \
 && chown node:node /data /devnet

USER node
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9090) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1))"]
ENTRYPOINT ["dao-indexer"]
CMD ["start"]
