import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createClient, verifyWebhook } from 'incident-service-client';

const client = createClient({ baseUrl: process.env.ITSM_URL, credentials: { apiKey: process.env.ITSM_API_KEY } });
const receiver = createServer().listen(0, '127.0.0.1');
await once(receiver, 'listening');
const url = `http://127.0.0.1:${receiver.address().port}`;
const { secret } = await client.createOutboundWebhook({
  name: 'Demo',
  url,
  events: ['incident.created'],
  sign_payloads: true,
});
const incident = await client.createIncident({ short_description: 'Mail is down', priority: 'P2' });
const [request, response] = await once(receiver, 'request');
const { event, data } = await verifyWebhook(await text(request), request.headers, secret);
response.end(() => receiver.close().closeAllConnections());
const records = Array.from({ length: 60 }, (_, number) => ({ short_description: `Printer ${number} is out of paper` }));
const { job_id } = await client.bulkIncidents({ operation: 'create', records });
const job = await client.jobs.wait(job_id, {
  onProgress: ({ processed, total }) => console.log(`${processed}/${total}`),
});
let count = 0;
for await (const _ of client.listIncidents.all()) count += 1;
console.log(JSON.stringify({ created: incident.id, event, verified: data.id, job: job.status, incidents: count }));
