import type { InboundWebhookDocument } from '../../../lambdas/inbound/inbound-webhook.ts';
import { webhookAuthor } from '../../../lambdas/inbound/webhook-author.ts';

const actorOf = (name: string) =>
  webhookAuthor({ id: 'wh_in_1', document: { name } as InboundWebhookDocument }, 'example.com').actor;

describe('webhookAuthor', () => {
  it.each([
    ['Prometheus', 'prometheus@webhooks.example.com'],
    ['Grafana (EU) – prod', 'grafana-eu-prod@webhooks.example.com'],
    ['日本', 'wh_in_1@webhooks.example.com'],
    ['a'.repeat(100), `${'a'.repeat(64)}@webhooks.example.com`],
  ])('gives %s an address', (name, actor) => {
    expect(actorOf(name)).toBe(actor);
  });

  it('names the webhook as the origin', () => {
    const { origin } = webhookAuthor({ id: 'wh_in_1', document: { name: 'x' } as InboundWebhookDocument }, 'x.com');
    expect(origin).toEqual({ kind: 'webhook', id: 'wh_in_1' });
  });
});
