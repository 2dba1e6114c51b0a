import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Router } from '@koa/router';

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>DAO Read API</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

/** No validator: it would send the document to a server of somebody else. */
const start = `SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#swagger-ui', validatorUrl: null, tryItOutEnabled: true,
});
`;

/** Everything comes from this server and goes to it: the page works without a network. */
const policy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

const written: Record<string, { type: string; body: string }> = {
  '': { type: 'html', body: page },
  '/start.js': { type: 'js', body: start },
};

const shipped = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Adds `/docs`: the OpenAPI document as a page on which requests can be tried, served by ourselves. */
export function addDocsPage(router: Router): void {
  for (const [path, { type, body }] of Object.entries(written))
    router.get(`/docs${path}`, (ctx) => {
      ctx.set('Content-Security-Policy', policy);
      ctx.type = type;
      ctx.body = body;
    });
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const file of shipped)
    router.get(`/docs/${file}`, async (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=86400');
      ctx.type = file.endsWith('.css') ? 'css' : 'js';
      ctx.body = await readFile(join(folder, file));
    });
}
