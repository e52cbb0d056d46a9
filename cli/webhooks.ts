import type { OutboundWebhook } from '../client/index.ts';
import { type Command, readText } from './command.ts';

export const webhookCommands: Command[] = [
  {
    name: 'webhooks list',
    summary: 'List outbound webhooks',
    async run({ output, connect }) {
      const rows: OutboundWebhook[] = [];
      for await (const webhook of (await connect()).listOutboundWebhooks.all()) rows.push(webhook);
      output.table(rows, ['id', 'name', 'active', 'url', 'events']);
    },
  },
  {
    name: 'webhooks test',
    args: '<webhook>',
    minArgs: 1,
    summary: 'Send a test delivery',
    async run({ args: [id = ''], output, connect }) {
      const delivery = await (await connect()).testOutboundWebhook({ id });
      output.result(`Queued ${delivery.id}`, delivery);
    },
  },
  {
    name: 'webhooks replay',
    args: '<webhook> <delivery>',
    minArgs: 2,
    summary: 'Send a delivery again',
    async run({ args: [id = '', delivery_id = ''], output, connect }) {
      const delivery = await (await connect()).replayDelivery({ id, delivery_id });
      output.result(`Queued ${delivery.id}`, delivery);
    },
  },
  {
    name: 'webhooks recover',
    args: '<webhook>',
    minArgs: 1,
    summary: 'Replay all events whose deliveries failed',
    options: { since: { type: 'string', value: 'time', description: 'Start time; 24 hours ago by default.' } },
    async run({ args: [id = ''], options, output, connect }) {
      const since = readText(options, 'since') ?? new Date(Date.now() - 24 * 60 * 60_000).toISOString();
      const started = await (await connect()).recoverDeliveries({ id }, { since });
      output.result(
        `Queued ${started.replayed} deliveries${started.more ? '; run the command again for more' : ''}`,
        started,
      );
    },
  },
];
