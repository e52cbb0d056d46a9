// Amazon SNS wraps a message in an envelope and asks a new subscriber to confirm. Recognized by the payload, not by
// headers, so that replays and tests of stored payloads behave the same.

const confirmationTimeoutMs = 5_000;

/** Calls the address that SNS sent with its request for confirmation. */
export type ConfirmSubscription = (url: string) => Promise<void>;

export const confirmSubscription: ConfirmSubscription = async (url) => {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(confirmationTimeoutMs) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`SNS returned ${response.status} to the confirmation`);
};

/** Replaces the text of an SNS message by the JSON that it holds. Other payloads stay as they are. */
export function unwrapSns(payload: unknown): unknown {
  const envelope = toEnvelope(payload);
  if (envelope?.Type !== 'Notification' || typeof envelope.Message !== 'string') return payload;
  try {
    return { ...envelope, Message: JSON.parse(envelope.Message) };
  } catch {
    return payload;
  }
}

/** Whether SNS asks for the confirmation of a subscription, and at which address. */
export function findConfirmation(payload: unknown): { url: string | undefined } | undefined {
  const envelope = toEnvelope(payload);
  if (envelope?.Type !== 'SubscriptionConfirmation') return undefined;
  return { url: isSnsUrl(envelope.SubscribeURL) ? envelope.SubscribeURL : undefined };
}

function toEnvelope(payload: unknown): Record<string, unknown> | undefined {
  if (typeof payload !== 'object' || payload === null || !('TopicArn' in payload)) return undefined;
  return payload as Record<string, unknown>;
}

/** Only SNS itself is called: a payload must not make the service call any other address. */
function isSnsUrl(text: unknown): text is string {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, port, username, hostname } = new URL(text);
  const isSns = /^sns\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?$/.test(hostname);
  return protocol === 'https:' && port === '' && username === '' && isSns;
}
