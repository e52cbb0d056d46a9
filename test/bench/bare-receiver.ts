// A receiver of webhooks that does nothing but count, as a process of its own, so that it takes no time from those who
// are measured. `GET /` tells how many requests came and when the last one came.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let count = 0;
let lastMs = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ count, lastMs }));
    return;
  }
  request.resume();
  request.once('end', () => {
    count++;
    lastMs = Date.now();
    response.end();
  });
});

server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
