import { createVerify, X509Certificate } from 'node:crypto';

// Amazon SNS wraps a message in an envelope, signs it and asks new subscribers for a confirmation. It is recognized by the
// payload, not by headers, so that replays and tests of stored payloads behave the same.

const requestTimeoutMs = 5_000;

/** Calls the URL in SNS's request for confirmation. */
export type ConfirmSubscription = (url: string) => Promise<void>;

export const confirmSubscription: ConfirmSubscription = async (url) => {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(requestTimeoutMs) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`SNS returned ${response.status} to the confirmation`);
};

/** Replaces an SNS envelope by the JSON in its message. Returns other payloads unchanged. */
export function unwrapSns(payload: unknown): unknown {
  const envelope = toEnvelope(payload);
  if (envelope?.Type !== 'Notification' || typeof envelope.Message !== 'string') return payload;
  try {
    return { ...envelope, Message: JSON.parse(envelope.Message) };
  } catch {
    return payload;
  }
}

/** Returns the confirmation URL if SNS asks for the confirmation of a subscription to the topic. */
export function findConfirmation(payload: unknown, topic: Topic): { url: string | undefined } | undefined {
  const envelope = toEnvelope(payload);
  if (envelope?.Type !== confirmationType) return undefined;
  const { SubscribeURL: url } = envelope;
  return { url: isSnsUrl(url) && isFromTopic(payload, topic) ? url : undefined };
}

/** Webhooks of earlier releases have no topic. */
type Topic = string | null | undefined;

/** Anybody can have SNS sign a message for a topic of their own, so the signature alone says nothing about the sender. */
export function isFromTopic(payload: unknown, topic: Topic): boolean {
  const envelope = toEnvelope(payload);
  if (!envelope) return true;
  return topic ? envelope.TopicArn === topic : envelope.Type !== confirmationType;
}

const confirmationType = 'SubscriptionConfirmation';

function toEnvelope(payload: unknown): Record<string, unknown> | undefined {
  if (typeof payload !== 'object' || payload === null || !('TopicArn' in payload)) return undefined;
  return payload as Record<string, unknown>;
}

/** Accepts only URLs of SNS: a payload must not make the service call any other address. */
function isSnsUrl(text: unknown): text is string {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, port, username, hostname } = new URL(text);
  const isSns = /^sns\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?$/.test(hostname);
  return protocol === 'https:' && port === '' && username === '' && isSns;
}

// SNS signs the fields of the envelope and serves the certificate of its key. The message contains the certificate's URL,
// so the URL must belong to SNS; TLS then authenticates the server.

/** Loads the certificate from a URL of SNS, as PEM; undefined if there is none. */
export type LoadCertificate = (url: string) => Promise<string | undefined>;

const algorithms: Readonly<Record<string, string>> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' };
/** SNS retries for an hour. Bodies are claimed for 24 hours, so an older message could be a replay. */
const maxAgeMs = 24 * 60 * 60_000;
const maxSkewMs = 5 * 60_000;

const signedFields: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

export const loadCertificate: LoadCertificate = async (url) => {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(requestTimeoutMs) });
  if (response.ok) return response.text();
  await response.body?.cancel();
  if (response.status < 500) return undefined;
  throw new Error(`SNS returned ${response.status} instead of its certificate`);
};

/** Whether SNS signed the message recently. Rejects when the certificate cannot be loaded. */
export async function isSignedBySns(payload: unknown, load: LoadCertificate, nowMs: number): Promise<boolean> {
  const envelope = toEnvelope(payload);
  const signed = envelope && formatSignedText(envelope);
  const algorithm = algorithms[String(envelope?.SignatureVersion)];
  if (!signed || !algorithm || typeof envelope.Signature !== 'string' || !isCertificateUrl(envelope.SigningCertURL))
    return false;
  const ageMs = nowMs - Date.parse(String(envelope.Timestamp));
  if (!(ageMs <= maxAgeMs && ageMs >= -maxSkewMs)) return false;
  const pem = await load(envelope.SigningCertURL);
  if (pem === undefined) return false;
  const { publicKey, validFrom, validTo } = new X509Certificate(pem);
  const isValid = Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
  return isValid && createVerify(algorithm).update(signed).verify(publicKey, envelope.Signature, 'base64');
}

function formatSignedText(envelope: Record<string, unknown>): string | undefined {
  const fields = Object.hasOwn(signedFields, String(envelope.Type)) ? signedFields[String(envelope.Type)] : undefined;
  // Only the subject may be absent.
  const present = fields?.filter((name) => name !== 'Subject' || typeof envelope.Subject === 'string');
  if (!present?.every((name) => typeof envelope[name] === 'string')) return undefined;
  return present.map((name) => `${name}\n${envelope[name]}\n`).join('');
}

function isCertificateUrl(url: unknown): url is string {
  return isSnsUrl(url) && /^\/SimpleNotificationService-\w{1,64}\.pem$/.test(new URL(url).pathname);
}
