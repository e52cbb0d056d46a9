// The baseline of all benchmarks: Node's HTTP server on libsql with nothing in between. No tokens, limits, validation, IAM or log.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';

const folder = mkdtempSync(join(tmpdir(), 'bare-'));
const database = new Database(join(folder, 'bare.db'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE items (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
const read = database.prepare('SELECT body FROM items WHERE id = ?');
const write = database.prepare('INSERT OR REPLACE INTO items VALUES (?, ?)');

const server = createServer(async (request, response) => {
  const id = request.url ?? '/';
  if (request.method === 'GET') {
    const row = read.get([id]) as { body: string } | undefined;
    answer(response, row?.body ?? '{"status":"ok"}');
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  write.run([id, JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))]);
  answer(response, '{}');
});

function answer(response: ServerResponse, body: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
