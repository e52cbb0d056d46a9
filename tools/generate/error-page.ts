import { type ErrorCode, errors } from '../../contract/errors.ts';

// One section per error code: docs/errors.md, which the console also shows as the page that a problem's `type` leads to.

interface Help {
  cause: string;
  fix: string;
}

const help: Readonly<Record<ErrorCode, Help>> = {
  invalid_input: {
    cause: 'A field, parameter or header is missing, unknown, read-only or has an invalid value.',
    fix: 'Read `errors`: it lists every problem with the name of its field. Correct them all before you send the request again.',
  },
  malformed_json: {
    cause: 'The body is not JSON, or it is nested too deeply.',
    fix: 'Send UTF-8 JSON. `detail` names the position of the first mistake where it is known.',
  },
  unauthorized: {
    cause:
      'The access token or API key is missing, expired or revoked, its client is not in a usage plan of the service, or the ' +
      'signature of an inbound event does not match.',
    fix: 'Get a new token from `/oauth2/token`, or send an active API key. For inbound events, sign the raw bytes of the body with the current secret.',
  },
  forbidden: {
    cause: 'The role of the caller does not allow the operation.',
    fix: 'Compare `roles` of `GET /me` with the role that the operation requires.',
  },
  not_found: {
    cause: 'The record or the path does not exist, the record is deleted, or the id has an impossible form.',
    fix: 'Check the id. A manager can read deleted records with `include_deleted=true`.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    fix: 'Use one of the methods in the `Allow` header.',
  },
  invalid_transition: {
    cause: 'The state of the record does not allow the new state.',
    fix: 'Choose one of `allowed_transitions`. The list is empty for final states.',
  },
  already_approved: {
    cause: 'The field was part of an approval and can no longer change.',
    fix: 'Create a new record, or change only fields that the approval does not cover.',
  },
  idempotency_key_in_flight: {
    cause: 'The first request with this idempotency key is still running.',
    fix: 'Wait a second and retry with the same key.',
  },
  limit_reached: {
    cause: 'The caller has the maximum number of these resources.',
    fix: 'Delete one that is no longer in use. `detail` names the limit.',
  },
  in_use: {
    cause: 'Other records use the record, so it cannot be deleted.',
    fix: 'Remove it from the records in `used_by`, or delete them first.',
  },
  webhook_inactive: {
    cause: 'The webhook is switched off, so the service does not send deliveries.',
    fix: 'Set `active` to true, then send the request again.',
  },
  precondition_failed: {
    cause: 'The record changed since the ETag in `If-Match` was read.',
    fix: 'Read the record again, apply the change to the new version and send its ETag.',
  },
  payload_too_large: {
    cause: 'The request is larger than the operation allows.',
    fix: 'Send less data, or split a bulk request.',
  },
  unsupported_media_type: {
    cause: 'The `Content-Type` is not JSON.',
    fix: 'Send `Content-Type: application/json`.',
  },
  idempotency_key_reused: {
    cause: 'The idempotency key belongs to a different request of the last 24 hours.',
    fix: 'Use a new key for each new request.',
  },
  mapping_failed: {
    cause: 'The mapping of an inbound webhook renders an invalid incident from the event.',
    fix: 'Correct `field_mapping`, test it with `POST /webhooks/inbound/{id}/test` and replay the stored event.',
  },
  rate_limited: {
    cause: 'The caller or the gateway exceeded its limit.',
    fix: 'Wait for the seconds in `Retry-After`. `X-RateLimit-Remaining` and `X-RateLimit-Reset` show the limit before it is reached.',
  },
  internal_error: {
    cause: 'The service has a defect or one of its parts failed.',
    fix: 'Report `request_id`. Retry only requests that are safe to repeat.',
  },
  model_access_denied: {
    cause:
      'The service has no access to the language model: access was not requested, or the server of the model rejected the key.',
    fix: "An administrator runs `npm run model-access`, corrects the key of the model's server, or configures another model.",
  },
  model_not_in_region: {
    cause: 'The language model is not available in the region of the service.',
    fix: 'Configure a model or an inference profile of the region.',
  },
  model_retired: {
    cause: 'The provider does not have the language model, or has retired it.',
    fix: 'Configure a current model.',
  },
  model_throttled: {
    cause: 'The language model rejects requests because its quota is used up.',
    fix: 'Retry after the seconds in `Retry-After`, or request a higher quota.',
  },
  unavailable: {
    cause: 'A part of the service is temporarily unavailable or overloaded.',
    fix: 'Retry after the seconds in `Retry-After`, with the same idempotency key.',
  },
};

export const errorPageFile = new URL('../../docs/errors.md', import.meta.url);

export function renderErrorText(): string {
  const codes = Object.keys(errors) as ErrorCode[];
  const rows = codes.map((code) => `| [\`${code}\`](#${code}) | ${errors[code].status} | ${errors[code].title} |`);
  return `# Errors

Every error is a problem document (RFC 9457, \`application/problem+json\`). Compare \`code\`, which is stable; \`title\` and \`detail\`
are for people. \`type\` is \`/console/errors.html#<code>\`: open it on the host of the API to read the section of the code. Quote
\`request_id\` when you report a problem.

| Code | Status | Title |
|---|---|---|
${rows.join('\n')}

${codes.map(formatSection).join('\n\n')}
`;
}

function formatSection(code: ErrorCode): string {
  const { cause, fix } = help[code];
  return `## ${code}\n\nStatus ${errors[code].status}. ${cause}\n\n${fix}`;
}
