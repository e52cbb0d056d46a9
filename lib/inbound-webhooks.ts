import { idFormats } from '../contract/ids.ts';
import type { inboundEventOperations } from '../contract/inbound-events.ts';
import type { inboundRejectionOperations } from '../contract/inbound-rejections.ts';
import type { inboundWebhookOperations } from '../contract/inbound-webhooks.ts';
import { type Grant, grantAll } from './functions.ts';
import type { Identity } from './identity.ts';
import type { Records } from './records.ts';
import type { Secrets } from './secrets.ts';

// Inbound webhooks. Only the receiving function may open secrets. Functions that create secrets may seal them; the one
// that creates webhooks also opens them, because a retried request gets the same response.

export interface InboundWebhooksProps {
  records: Records;
  secrets: Secrets;
  identity: Identity;
}

type InboundOperation =
  | keyof typeof inboundWebhookOperations
  | keyof typeof inboundEventOperations
  | keyof typeof inboundRejectionOperations;

/** What each operation on inbound webhooks may do. */
export function buildInboundPermissions({
  records,
  secrets,
  identity,
}: InboundWebhooksProps): Record<InboundOperation, Grant> {
  const read = records.grantGet;
  const readAndWrite = grantAll(records.grantGet, records.grantWrite);
  const changeSecret = grantAll(readAndWrite, (fn) => secrets.grantSeal(fn, idPrefix));
  return {
    listInboundWebhooks: records.grantListWhole,
    createInboundWebhook: grantAll(
      records.grantWrite,
      (fn) => secrets.grantSeal(fn, idPrefix),
      (fn) => secrets.grantOpen(fn, idPrefix),
    ),
    getInboundWebhook: read,
    updateInboundWebhook: changeSecret,
    deleteInboundWebhook: readAndWrite,
    rotateInboundSecret: changeSecret,
    testInboundWebhook: read,
    previewInboundWebhook: read,
    listInboundRejections: read,
    receiveInboundEvent: grantAll(
      readAndWrite,
      records.grantCheck,
      records.grantCount,
      (fn) => secrets.grantOpen(fn, idPrefix),
      identity.grantIdentify,
    ),
    listInboundEvents: grantAll(records.grantGet, records.grantQuery),
    getInboundEvent: read,
    replayInboundEvent: grantAll(readAndWrite, records.grantCheck),
  };
}

const idPrefix = idFormats.inboundWebhook.prefix;
