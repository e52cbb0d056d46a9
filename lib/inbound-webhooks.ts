import { idFormats } from '../contract/ids.ts';
import type { inboundEventOperations } from '../contract/inbound-events.ts';
import type { inboundRejectionOperations } from '../contract/inbound-rejections.ts';
import type { inboundWebhookOperations } from '../contract/inbound-webhooks.ts';
import type { ServiceFunction } from './functions.ts';
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
}: InboundWebhooksProps): Record<InboundOperation, (fn: ServiceFunction) => void> {
  const read = (fn: ServiceFunction) => records.grantGet(fn);
  const readAndWrite = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantWrite(fn);
  };
  const changeSecret = (fn: ServiceFunction) => {
    readAndWrite(fn);
    secrets.grantSeal(fn, idPrefix);
  };
  return {
    listInboundWebhooks: (fn) => records.grantListWhole(fn),
    createInboundWebhook: (fn) => {
      records.grantWrite(fn);
      secrets.grantSeal(fn, idPrefix);
      secrets.grantOpen(fn, idPrefix);
    },
    getInboundWebhook: read,
    updateInboundWebhook: changeSecret,
    deleteInboundWebhook: readAndWrite,
    rotateInboundSecret: changeSecret,
    testInboundWebhook: read,
    previewInboundWebhook: read,
    listInboundRejections: read,
    receiveInboundEvent: (fn) => {
      readAndWrite(fn);
      records.grantCheck(fn);
      records.grantCount(fn);
      secrets.grantOpen(fn, idPrefix);
      identity.grantIdentify(fn);
    },
    listInboundEvents: (fn) => {
      records.grantGet(fn);
      records.grantQuery(fn);
    },
    getInboundEvent: read,
    replayInboundEvent: (fn) => {
      readAndWrite(fn);
      records.grantCheck(fn);
    },
  };
}

const idPrefix = idFormats.inboundWebhook.prefix;
