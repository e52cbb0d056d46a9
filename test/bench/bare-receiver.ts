// A webhook receiver that only counts requests, in its own process, so that it does not slow down the measured server.
// `GET /` returns the number of requests and the time of the last one.
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
