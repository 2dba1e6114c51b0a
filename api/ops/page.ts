import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Router } from '@koa/router';

const ours = fileURLToPath(new URL('page/', import.meta.url));
const charts = dirname(fileURLToPath(import.meta.resolve('uplot/dist/uPlot.iife.min.js')));

/** Every file of the page by its path: served from here, so that it works without a network. */
const files: Record<string, [folder: string, name: string]> = {
  '/': [ours, 'index.html'],
  ...Object.fromEntries(
    ['page.css', 'page.js', 'charts.js', 'tables.js', 'format.js'].map((name) => [
      `/page/${name}`,
      [ours, name],
    ]),
  ),
  '/page/uplot.js': [charts, 'uPlot.iife.min.js'],
  '/page/uplot.css': [charts, 'uPlot.min.css'],
};

const policy = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'connect-src'].map((part) => `${part} 'self'`),
  'img-src data:',
  ...['base-uri', 'form-action', 'frame-ancestors'].map((part) => `${part} 'none'`),
].join('; ');

/** Adds the status page for people at `/`. */
export function addStatusPage(router: Router): void {
  for (const [path, [folder, name]] of Object.entries(files)) {
    const body = readFileSync(join(folder, name));
    router.get(path, (ctx) => {
      ctx.set('Content-Security-Policy', policy);
      ctx.set('X-Content-Type-Options', 'nosniff');
      ctx.set('Cache-Control', 'no-cache');
      ctx.type = name.slice(name.lastIndexOf('.'));
      ctx.body = body;
    });
  }
}
