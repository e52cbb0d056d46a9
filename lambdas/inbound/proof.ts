import type { Proof } from '../../contract/inbound-events.ts';
import { hasRole } from '../../contract/roles.ts';
import { InvalidToken } from '../identity/access-token.ts';
import { type Identification, identifyCaller } from '../identity/authorizer.ts';
import type { Clock } from '../platform/clock.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { ServiceError } from '../platform/service-error.ts';
import { verifyHex, verifyStandard } from '../webhooks/signature.ts';
import type { InboundWebhookRecord } from './inbound-webhook.ts';
import { accepted } from './webhook-secret.ts';

// By what a sender is let in. Signatures are checked over the bytes as they came, before anything looks into them. Every
// signature that a request carries must be right, and who has none may show an access token instead. All refusals are
// the same, so that nobody learns how close an attempt came.

export interface Gate {
  box: SecretBox;
  identification: Identification;
  clock: Clock;
}

export interface Knock {
  body: Buffer;
  header(name: string): string | undefined;
}

type Check = (secret: string) => boolean;

export async function prove({ id, document }: InboundWebhookRecord, knock: Knock, gate: Gate): Promise<Proof> {
  if (!document.secret_enabled) return 'none';
  const signatures = signaturesOf(knock, gate.clock.now());
  if (signatures.length === 0) return proveByToken(knock, gate);
  const sealed = accepted(document.secrets, gate.clock.now());
  const secrets = await Promise.all(sealed.map((secret) => gate.box.open(id, secret.sealed)));
  const holds = (check: Check) => secrets.filter(check).length > 0;
  if (signatures.every(({ check }) => holds(check))) return signatures[0]!.proof;
  throw refusal();
}

function signaturesOf({ header, body }: Knock, nowMs: number): { proof: Proof; check: Check }[] {
  const [service, hub] = [header('X-Service-Signature'), header('X-Hub-Signature-256')];
  const signature = header('webhook-signature');
  const standard = { id: header('webhook-id') ?? '', timestamp: header('webhook-timestamp') ?? '' };
  return [
    ...(service === undefined ? [] : [{ proof: 'service_signature' as const, check: hex(service, body) }]),
    ...(hub === undefined ? [] : [{ proof: 'hub_signature' as const, check: hex(hub, body) }]),
    ...(signature === undefined
      ? []
      : [
          {
            proof: 'standard_webhooks' as const,
            check: (secret: string) => verifyStandard(secret, { ...standard, signature }, body, nowMs),
          },
        ]),
  ];
}

function hex(signature: string, body: Buffer): Check {
  return (secret) => verifyHex(secret, body, signature);
}

async function proveByToken({ header }: Knock, { identification }: Gate): Promise<Proof> {
  const authorization = header('Authorization');
  if (authorization === undefined) throw refusal();
  try {
    const { roles } = await identifyCaller(authorization, identification);
    if (hasRole(roles, 'itsm_agent')) return 'token';
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
  }
  throw refusal();
}

function refusal(): ServiceError {
  return new ServiceError('unauthorized', 'The event needs a valid signature or the access token of an agent.');
}
