import { createHmac, randomBytes } from 'node:crypto';
import { type Event, type EventType, eventTypes } from '../client/index.ts';
import { type Command, readText, UsageError } from './command.ts';
import { followEvents } from './feed.ts';

export const eventCommands: Command[] = [
  {
    name: 'events tail',
    summary: 'Print events as they happen, or forward them to a receiver on this machine',
    options: {
      type: { type: 'string', value: 'incident.created,…', description: 'Only these event types.', values: eventTypes },
      record: { type: 'string', value: 'id', description: 'Only events of this record.' },
      forward: {
        type: 'string',
        value: 'http://localhost:…',
        description: 'Send each event there, signed like a delivery.',
      },
      secret: { type: 'string', value: 'whsec_…', description: 'Signing secret; a new one is printed if absent.' },
      after: { type: 'string', value: 'sequence', description: 'Start after this event instead of now.' },
      max: { type: 'string', value: 'number', description: 'Maximum number of events.' },
      interval: { type: 'string', value: 'seconds', description: 'Time between requests (2).' },
    },
    async run(input) {
      const { options, output, connect, signal } = input;
      const target = readText(options, 'forward');
      if (target && !/^https?:\/\//.test(target)) throw new UsageError('--forward must be an http or https address');
      const secret = readText(options, 'secret') ?? `whsec_${randomBytes(32).toString('base64')}`;
      if (target && !readText(options, 'secret')) output.note(`Signing with ${secret}`);
      const type = readText(options, 'type')?.split(',') as EventType[] | undefined;
      const record = readText(options, 'record');
      const client = await connect();
      const query = { ...(type ? { type } : {}), ...(record ? { record_id: record } : {}) };
      for await (const event of followEvents(client, query, input)) {
        const status = target ? await forward(event, target, secret, signal) : undefined;
        const line = `${event.timestamp}  ${event.sequence}  ${event.event}  ${event.data.id}${status ? `  ${status}` : ''}`;
        output.result(line, status ? { ...event, forwarded: status } : event);
      }
    },
  },
];

const forwardTimeoutMs = 10_000;

/** The request of a delivery. A receiver that is not running must not end the tail. */
async function forward(event: Event, target: string, secret: string, signal: AbortSignal): Promise<string> {
  const { sequence: _, version: __, id, ...payload } = event;
  const body = JSON.stringify(payload);
  const seconds = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'itsm events tail',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMs)]);
    const response = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal: limits });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { cause } = error as { cause?: { code?: string } };
    return `not delivered (${cause?.code ?? (error as Error).name})`;
  }
}
