import { inboundEventOperations } from '../../contract/inbound-events.ts';
import { inboundWebhookOperations } from '../../contract/inbound-webhooks.ts';
import { listStatements, prod, resources } from './stack.ts';

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const operations = { ...inboundWebhookOperations, ...inboundEventOperations };
const handlers = Object.keys(operations).map(kebabCase);

/** What a function may do with the key that seals secrets. */
function secretActions(handler: string): { action: string; condition: unknown }[] {
  const [secrets] = resources(prod, 'AWS::KMS::Key').find(([id]) => id.startsWith('Secrets'))!;
  return listStatements(prod, handler)
    .filter(({ Resource }) => JSON.stringify(Resource).includes(secrets))
    .flatMap(({ Action, Condition }) => [Action].flat().map((action) => ({ action, condition: Condition })));
}

describe('secrets of webhooks', () => {
  it("are encrypted with a rotating key that differs from the table's key", () => {
    const keys = resources(prod, 'AWS::KMS::Key');
    expect(keys.map(([, { Properties }]) => Properties.EnableKeyRotation)).toEqual(keys.map(() => true));
    expect(keys.length).toBeGreaterThanOrEqual(2);
  });

  it('can be decrypted only by the functions that verify and create signatures', () => {
    const readers = handlers.filter((handler) => secretActions(handler).some(({ action }) => action === 'kms:Decrypt'));
    expect(readers.sort()).toEqual(['create-inbound-webhook', 'receive-inbound-event']);
  });

  it.each(handlers)('are limited to inbound webhooks for %s', (handler) => {
    for (const { action, condition } of secretActions(handler)) {
      expect(['kms:Encrypt', 'kms:Decrypt']).toContain(action);
      expect(condition).toEqual({ StringLike: { 'kms:EncryptionContext:record_id': 'wh_in_*' } });
    }
  });
});

describe('the receiving address', () => {
  it('is the only operation on inbound webhooks without a token', () => {
    const open = Object.values(operations).filter(({ access }) => (access as string) === 'public');
    expect(open.map(({ name }) => name)).toEqual(['receiveInboundEvent']);
  });
});
