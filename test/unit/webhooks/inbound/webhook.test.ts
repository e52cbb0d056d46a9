import {
  getPreviousSecretExpiry,
  type InboundWebhookDocument,
  listValidSecrets,
  overlapMs,
  rotateSecrets,
  toFirstSecrets,
  toWebhookAuthor,
} from '../../../../lambdas/webhooks/inbound/webhook.ts';

const made = (name: string) => ({ secret: name, sealed: name });
const names = (secrets: readonly { sealed: string }[]) => secrets.map(({ sealed }) => sealed);

describe('the secrets of a webhook', () => {
  it('accept the previous secret for exactly 24 hours', () => {
    const secrets = rotateSecrets(toFirstSecrets(made('old'), 0), made('new'), 1_000);
    expect(names(listValidSecrets(secrets, 1_000 + overlapMs - 1))).toEqual(['new', 'old']);
    expect(names(listValidSecrets(secrets, 1_000 + overlapMs))).toEqual(['new']);
    expect(getPreviousSecretExpiry(secrets, 1_000)).toBe(new Date(1_000 + overlapMs).toISOString());
    expect(getPreviousSecretExpiry(secrets, 1_000 + overlapMs)).toBeNull();
  });

  it('accept older secrets after two rotations', () => {
    const once = rotateSecrets(toFirstSecrets(made('a'), 0), made('b'), 1_000);
    const twice = rotateSecrets(once, made('c'), 2_000);
    expect(names(twice)).toEqual(['c', 'b', 'a']);
    expect(names(listValidSecrets(twice, 1_000 + overlapMs))).toEqual(['c', 'b']);
  });

  it('are limited in number', () => {
    let secrets = toFirstSecrets(made('0'), 0);
    for (let index = 1; index < 20; index++) secrets = rotateSecrets(secrets, made(String(index)), index);
    expect(names(secrets)).toEqual(['19', '18', '17', '16', '15']);
  });
});

const getActor = (name: string) =>
  toWebhookAuthor({ id: 'wh_in_1', document: { name } as InboundWebhookDocument }, 'example.com').actor;

describe('toWebhookAuthor', () => {
  it.each([
    ['Prometheus', 'prometheus@webhooks.example.com'],
    ['Grafana (EU) – prod', 'grafana-eu-prod@webhooks.example.com'],
    ['日本', 'wh_in_1@webhooks.example.com'],
    ['a'.repeat(100), `${'a'.repeat(64)}@webhooks.example.com`],
  ])('gives %s an address', (name, actor) => {
    expect(getActor(name)).toBe(actor);
  });

  it('names the webhook as the origin', () => {
    const { origin } = toWebhookAuthor({ id: 'wh_in_1', document: { name: 'x' } as InboundWebhookDocument }, 'x.com');
    expect(origin).toEqual({ kind: 'webhook', id: 'wh_in_1' });
  });
});
