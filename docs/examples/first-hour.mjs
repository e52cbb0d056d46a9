import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient, verifyWebhook } from 'incident-service-client';

const client = createClient({ baseUrl: process.env.ITSM_URL, credentials: { apiKey: process.env.ITSM_API_KEY } });
const url = process.env.RECEIVER_URL ?? 'http://127.0.0.1:8080';
const receiver = createServer().listen(Number(new URL(url).port), '127.0.0.1');
const webhook = { name: 'First hour', url, events: ['incident.created'], sign_payloads: true };
const { id: webhookId, secret } = await client.createOutboundWebhook(webhook);
await client.createIncident({ short_description: 'Mail is down', priority: 'P2' });
const [request, response] = await once(receiver, 'request');
console.log(await verifyWebhook(Buffer.concat(await request.toArray()), request.headers, secret));
response.end(() => receiver.close().closeAllConnections());
await client.deleteOutboundWebhook({ id: webhookId });
const bulk = { operation: 'create', records: [{ short_description: 'Paper jam' }] };
console.log((await client.jobs.run(client.bulkIncidents, bulk)).succeeded, 'created');
for await (const { id, state } of client.listIncidents.all()) console.log(id, state);
