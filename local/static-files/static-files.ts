// Serves a folder under a path of the public server, as a bucket behind a CDN does in the cloud. A path without a file
// gets index.html, so a single-page application can use its own routes.
import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
};

export interface StaticFolder {
  /** With a slash at both ends: /console/ */
  path: string;
  folder: string;
  /** Files generated at start, by path below the folder. */
  made?: Readonly<Record<string, string>>;
  /** Headers that every file carries, such as a content security policy. */
  headers?: Record<string, string>;
}

/** Responds and returns true if the URL is below the folder's path. */
export function serveStatic(mount: StaticFolder, request: IncomingMessage, response: ServerResponse): boolean {
  const path = decodePath((request.url ?? '/').split('?')[0]!);
  if (`${path}/` === mount.path) {
    response.writeHead(308, { location: mount.path }).end();
    return true;
  }
  if (!path?.startsWith(mount.path)) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return true;
  }
  const relative = path.slice(mount.path.length);
  // Clients choose the path, so only own properties count.
  const made = mount.made && Object.hasOwn(mount.made, relative) ? mount.made[relative] : undefined;
  if (made !== undefined) {
    response.writeHead(200, buildHeaders(mount, relative)).end(request.method === 'HEAD' ? undefined : made);
    return true;
  }
  const file = findFile(mount.folder, relative);
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    return true;
  }
  if (request.method === 'HEAD') response.writeHead(200, buildHeaders(mount, file)).end();
  else sendFile(file, buildHeaders(mount, file), response);
  return true;
}

/** Responds 503 if the file cannot be opened, such as when too many are open; a later failure ends the connection. */
function sendFile(file: string, headers: Record<string, string>, response: ServerResponse): void {
  const stream = createReadStream(file);
  stream.once('open', () => {
    response.writeHead(200, headers);
    pipeline(stream, response, () => {});
  });
  stream.on('error', () => {
    if (response.headersSent) return;
    response
      .writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' })
      .end('The file cannot be read at the moment.\n');
  });
}

function buildHeaders(mount: StaticFolder, file: string): Record<string, string> {
  return {
    'content-type': contentTypes[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    ...mount.headers,
  };
}

function findFile(folder: string, relative: string): string | undefined {
  const wanted = normalize(join(folder, relative));
  if (!wanted.startsWith(normalize(folder + sep)) && wanted !== normalize(folder)) return undefined;
  if (isFile(wanted)) return wanted;
  if (extname(wanted) !== '') return undefined;
  const index = join(folder, 'index.html');
  return isFile(index) ? index : undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function decodePath(path: string): string | undefined {
  try {
    const text = decodeURIComponent(path);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
