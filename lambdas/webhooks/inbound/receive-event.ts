import { inboundEventOperations, type Proof } from '../../../contract/inbound-events.ts';
import type { RejectionReason } from '../../../contract/inbound-rejections.ts';
import { inboundWebhookId } from '../../../contract/inbound-webhooks.ts';
import { rateLimits } from '../../../contract/rate-limits.ts';
import { hasRole } from '../../../contract/roles.ts';
import { InvalidToken } from '../../identity/access-token.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { assertWithinRateLimit, createPipeline, type Platform } from '../../platform/http/pipeline.ts';
import { getHeader, isJson, readRawBody } from '../../platform/http/request-input.ts';
import {
  type Exchange,
  type GatewayEvent,
  type GatewayResult,
  type PipelineContext,
  toResult,
} from '../../platform/http/response.ts';
import { createPlatform } from '../../platform/http/route.ts';
import { deriveId } from '../../platform/ids.ts';
import { toErrorFields } from '../../platform/log.ts';
import { createUncountedVerdict } from '../../platform/rate-limit/limiter.ts';
import { requireValue } from '../../platform/require-value.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { recordSortKey, toRecord } from '../../records/record-item.ts';
import { listValidSecrets } from '../secrets.ts';
import { isRecent, verifyHex, verifyStandard } from '../signature.ts';
import { selectBodyRule } from './dedup.ts';
import { assertSize, type InboundTools, parsePayload } from './events.ts';
import { processEvent, toReceivedResult } from './process-event.ts';
import { RejectedCall, storeRejection, toRejection } from './rejections.ts';
import { isFromTopic, isSignedBySns, type LoadCertificate } from './sns.ts';
import type { InboundWebhookDocument, InboundWebhookRecord } from './webhook.ts';

// The public endpoint. The order of its checks is part of its security: webhook, size, authentication, and only then
// the content of the body. Events count against the rate limit of their webhook only after authentication, so that an
// attacker who knows the URL cannot use up the limit.

export interface ReceiveTools extends InboundTools, RequestVerifier {
  store: Pick<ItemStore, 'get' | 'transact'>;
}

export type Receive = (event: GatewayEvent, exchange: Exchange, platform: Platform) => Promise<GatewayResult>;

export function receiveInboundEvent(tools: ReceiveTools): Receive {
  return async (event, exchange, platform) => {
    const webhook = await findWebhook(event, tools);
    const body = readRawBody(event);
    try {
      return await receive(webhook, body, event, exchange, platform);
    } catch (error) {
      await reportRejection(webhook, body, error, exchange, platform);
      throw error;
    }
  };

  async function receive(
    webhook: InboundWebhookRecord,
    body: Buffer,
    event: GatewayEvent,
    exchange: Exchange,
    platform: Platform,
  ): Promise<GatewayResult> {
    assertActive(webhook);
    assertSize(body);
    const request = { body, header: (name: string) => getHeader(event, name) };
    const proof = await verifyRequest(webhook, request, tools);
    countEvent(webhook, exchange, platform);
    await assertWithinRateLimit(exchange, tools.clock);
    // SNS declares its JSON as plain text.
    if (request.header('x-amz-sns-message-type') === undefined) assertJson(request.header('Content-Type'));
    const payload = parsePayload(body);
    const eventId = toEventId(webhook, request.header);
    const rule = selectBodyRule(proof, request.header('webhook-signature') !== undefined, webhook);
    const received = { webhook, eventId, body, payload, proof, bodyRule: rule, replayOf: null };
    const processed = await processEvent(received, tools);
    return toResult(inboundEventOperations.receiveInboundEvent, toReceivedResult(processed));
  }

  /** The sender gets the same response if this fails. */
  async function reportRejection(
    { id }: InboundWebhookRecord,
    body: Buffer,
    error: unknown,
    { requestId: request_id }: Exchange,
    { log }: Platform,
  ): Promise<void> {
    const nowMs = tools.clock.now();
    const rejection = toRejection(error, body.byteLength, nowMs);
    if (!rejection) return;
    try {
      await storeRejection(tools.store, id, rejection, nowMs);
    } catch (cause) {
      log('error', 'failed to store a rejected call', { request_id, ...toErrorFields(cause) });
    }
  }
}

/** Unknown, deleted and inactive webhooks return the same error. */
async function findWebhook(event: GatewayEvent, { store }: ReceiveTools): Promise<InboundWebhookRecord> {
  const id = inboundWebhookId.safeParse(event.pathParameters?.id).data;
  const item = id === undefined ? undefined : await store.get(id, recordSortKey);
  const webhook = item && toRecord<InboundWebhookDocument>(item);
  if (webhook && !webhook.deleted) return webhook;
  throw new ServiceError('not_found', noWebhook);
}

const noWebhook = 'There is no webhook at this URL.';

function assertActive({ document }: InboundWebhookRecord): void {
  if (!document.active) throw new RejectedCall('inactive', 'not_found', noWebhook);
}

/** If counting fails, the event is admitted, as for API requests (docs/decisions/0003). */
function countEvent({ id }: InboundWebhookRecord, exchange: Exchange, { limiter, clock, log }: Platform): void {
  const limit = rateLimits.general;
  exchange.verdict = limiter.take(`webhook#${id}`, limit).catch((error: unknown) => {
    log('error', 'failed to count an event for the rate limit', {
      request_id: exchange.requestId,
      ...toErrorFields(error),
    });
    return createUncountedVerdict(clock.now(), limit);
  });
}

/** Derives the event id from the sender's id, so that a repeated event has the same id. */
function toEventId({ id }: InboundWebhookRecord, header: (name: string) => string | undefined): string | undefined {
  const given = header('webhook-id') ?? header('Idempotency-Key');
  return given ? deriveId('inboundEvent', `${id} ${given}`) : undefined;
}

function assertJson(contentType: string | undefined): void {
  if (contentType === undefined || isJson(contentType)) return;
  throw new ServiceError('unsupported_media_type', `The body must be application/json, not ${contentType}.`);
}

/** Like `route`, without the steps that need a caller or read the body; `receive` reads the body itself. */
export function createReceiveRoute(
  receive: Receive,
  platform: Platform = createPlatform(),
): (event: GatewayEvent, context: PipelineContext) => Promise<GatewayResult> {
  return createPipeline(inboundEventOperations.receiveInboundEvent.name, platform).handler((event, { exchange }) =>
    receive(event, exchange, platform),
  );
}

// Authenticates senders. Signatures cover the raw bytes and are verified before the body is parsed, except for the
// signatures of Amazon SNS, which are part of the body. Every signature in a request must be valid; a request without a
// signature needs an access token. All rejections are equal, so that they reveal nothing to an attacker.

export interface RequestVerifier {
  box: SecretBox;
  /** Finds the caller of an Authorization header; rejects with InvalidToken. */
  identify(authorization: string): Promise<Caller>;
  loadCertificate: LoadCertificate;
  clock: Clock;
}

export interface SignedRequest {
  body: Buffer;
  header(name: string): string | undefined;
}

type Check = (secret: string) => boolean;

export async function verifyRequest(
  { id, document }: InboundWebhookRecord,
  request: SignedRequest,
  verifier: RequestVerifier,
): Promise<Proof> {
  const signatures = document.secret_enabled ? readSignatures(request, verifier.clock.now()) : [];
  const hasToken = document.secret_enabled && request.header('Authorization') !== undefined;
  if (document.preset === 'cloudwatch' && signatures.length === 0 && !hasToken)
    return verifySns(document, request, verifier);
  if (!document.secret_enabled) return 'none';
  if (signatures.length === 0) return verifyToken(request, verifier);
  const sealed = listValidSecrets(document.secrets, verifier.clock.now());
  const secrets = await Promise.all(sealed.map((secret) => verifier.box.open(id, secret.sealed)));
  const holds = (check: Check) => secrets.filter(check).length > 0;
  if (signatures.every(({ check }) => holds(check))) return requireValue(signatures[0]).proof;
  throw createAuthenticationError(isStale(request, verifier.clock.now()) ? 'stale_timestamp' : 'invalid_signature');
}

function isStale({ header }: SignedRequest, nowMs: number): boolean {
  const timestamp = header('webhook-timestamp');
  return timestamp !== undefined && !isRecent(timestamp, nowMs);
}

function readSignatures({ header, body }: SignedRequest, nowMs: number): { proof: Proof; check: Check }[] {
  const [service, hub] = [header('X-Service-Signature'), header('X-Hub-Signature-256')];
  const signature = header('webhook-signature');
  const standard = { id: header('webhook-id') ?? '', timestamp: header('webhook-timestamp') ?? '' };
  return [
    ...(service === undefined
      ? []
      : [{ proof: 'service_signature' as const, check: checkHexSignature(service, body) }]),
    ...(hub === undefined ? [] : [{ proof: 'hub_signature' as const, check: checkHexSignature(hub, body) }]),
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

function checkHexSignature(signature: string, body: Buffer): Check {
  return (secret) => verifyHex(secret, body, signature);
}

async function verifyToken({ header }: SignedRequest, { identify, clock }: RequestVerifier): Promise<Proof> {
  const authorization = header('Authorization');
  if (authorization === undefined) throw createAuthenticationError('no_signature');
  try {
    const { roles, tokenExpiresAt } = await identify(authorization);
    if (hasRole(roles, 'itsm_agent') && tokenExpiresAt * 1_000 > clock.now()) return 'token';
  } catch (error) {
    if (!(error instanceof InvalidToken))
      throw new ServiceError('unavailable', 'The access token could not be verified. Try again.', { cause: error });
  }
  throw createAuthenticationError('invalid_token');
}

/** SNS cannot send our signature; its own signature is part of the body. */
async function verifySns(
  document: InboundWebhookDocument,
  { body }: SignedRequest,
  { loadCertificate, clock }: RequestVerifier,
): Promise<Proof> {
  const payload = parsePayload(body);
  const isSigned = await isSignedBySns(payload, loadCertificate, clock.now()).catch((error: unknown) => {
    throw new ServiceError('unavailable', 'The signature of Amazon SNS could not be verified.', { cause: error });
  });
  if (!isSigned) throw createAuthenticationError('invalid_signature');
  if (!isFromTopic(payload, document.topic_arn)) throw createAuthenticationError('other_topic');
  return 'sns_signature';
}

function createAuthenticationError(reason: RejectionReason): RejectedCall {
  return new RejectedCall(reason, 'unauthorized', 'The event needs a valid signature or the access token of an agent.');
}
