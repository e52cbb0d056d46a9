import { defineOperations } from './operation.ts';
import {
  outboundWebhook,
  outboundWebhookCreation,
  outboundWebhookExample,
  outboundWebhookUpdate,
} from './outbound-webhook-schemas.ts';
import { idParams } from './records.ts';
import { webhookOperations } from './webhook-operations.ts';
import { outboundWebhookId } from './webhook-settings.ts';

const { id, name, url, events, filters } = outboundWebhookExample;
const secretExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI=';

const operations = webhookOperations({
  direction: 'outbound',
  params: idParams(outboundWebhookId),
  webhook: outboundWebhook,
  example: outboundWebhookExample,
  secretExample,
  location: { description: 'URL of the webhook.', example: `/prod/api/v1/webhooks/outbound/${id}` },
  creation: outboundWebhookCreation,
  creationExample: { name, url, events, filters, headers: { 'X-Room': 'mail' }, sign_payloads: true },
  update: outboundWebhookUpdate,
  updateExample: { url: 'https://chat.example.net/incidents' },
  updatedExample: {
    ...outboundWebhookExample,
    secret: secretExample,
    url: 'https://chat.example.net/incidents',
    headers: {},
    notices: [
      { code: 'headers_dropped', message: 'The origin of url changed, so these headers were dropped: X-Room.' },
      { code: 'secret_replaced', message: 'The origin of url changed, so a new secret replaced the old one.' },
    ],
  },
  descriptions: {
    create:
      'Creates an outbound webhook owned by the caller. If `sign_payloads` is true, the response contains the secret once.',
    get: 'Returns the webhook without its secret and header values.',
    update:
      'Deactivating the webhook cancels pending deliveries; events that occur while it is ' +
      'inactive are not delivered later. Enabling `sign_payloads` creates a secret, which the response contains once. ' +
      'Changing the origin (scheme, host or port) of `url` removes the stored headers and replaces the secret, so that the ' +
      'new receiver does not get credentials of the previous one. The same request may set new `headers`. The response ' +
      'lists what was removed in `notices` and contains the new `secret` once.',
    delete: 'Deletes the webhook and cancels pending deliveries.',
    rotate:
      'Replaces the secret and returns the new one once. For 24 hours, deliveries are signed with both secrets: ' +
      '`webhook-signature` contains both signatures, `X-Service-Signature` the new one and ' +
      '`X-Service-Signature-Previous` the previous one.',
  },
});

export const outboundWebhookOperations = defineOperations({
  listOutboundWebhooks: operations.list,
  createOutboundWebhook: operations.create,
  getOutboundWebhook: operations.get,
  updateOutboundWebhook: operations.update,
  deleteOutboundWebhook: operations.delete,
  rotateOutboundSecret: operations.rotate,
});
