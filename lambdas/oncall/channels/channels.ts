import { type ChatKind, type ContactKind, chatKinds } from '../../../contract/contact-kinds.ts';
import { createMailSender, type Mail } from '../../platform/clients/ses.ts';
import { createTextSender } from '../../platform/clients/sns.ts';
import { env } from '../../platform/env.ts';
import { createReceiverClient, isSuccess, type PostTo } from '../../webhooks/outbound/receiver.ts';
import { createAddressRule, type LoopbackRule } from '../../webhooks/outbound/receiver-address.ts';
import { type Content, toChat, toMail, toText } from './format.ts';
import type { SendResult } from './message.ts';

// The providers behind the kinds of contact methods. Sending never throws: a failure is a result, which is logged.

export interface Channels {
  /** `address`: for a webhook, its URL. */
  send(kind: ContactKind, address: string, content: Content): Promise<SendResult>;
}

interface Providers {
  mail(mail: Mail): Promise<string>;
  text(phoneNumber: string, text: string): Promise<string>;
  post: PostTo;
}

export function createChannels(): Channels {
  const { MAIL_SENDER, LOOPBACK_RECEIVERS } = env('MAIL_SENDER', 'LOOPBACK_RECEIVERS');
  return connectChannels({
    mail: createMailSender(MAIL_SENDER),
    text: createTextSender(),
    post: createReceiverClient(createAddressRule(LOOPBACK_RECEIVERS as LoopbackRule)),
  });
}

/** What this deployment can send to: e-mail and text messages are options of it. */
export function listAvailableKinds(): ContactKind[] {
  const { MAIL_SENDER, TEXT_MESSAGES } = env('MAIL_SENDER', 'TEXT_MESSAGES');
  return [
    ...(MAIL_SENDER === noSender ? [] : (['email'] as const)),
    ...(TEXT_MESSAGES === 'on' ? (['sms'] as const) : []),
    ...chatKinds,
  ];
}

/** A variable of a function cannot be empty. */
const noSender = 'none';

export function connectChannels({ mail, text, post }: Providers): Channels {
  return {
    async send(kind, address, content) {
      try {
        if (kind === 'email') return toSent(await mail(toMail(address, content)));
        if (kind === 'sms') return toSent(await text(address, toText(content)));
        return await postChat(kind, address, content, post);
      } catch (error) {
        return { kind: 'failed', error: formatFailure(error), isPermanent: isRejected(error) };
      }
    },
  };
}

const postTimeoutMs = 10_000;

async function postChat(kind: ChatKind, url: string, content: Content, post: PostTo): Promise<SendResult> {
  const { headers, body } = toChat(kind, content);
  const result = await post({ url, headers, body: Buffer.from(body), timeoutMs: postTimeoutMs });
  if (result.kind === 'failed') return { kind: 'failed', error: result.error, isPermanent: false };
  const { status, text } = result;
  if (isSuccess(status)) return toSent(findNtfyId(text));
  return { kind: 'failed', error: `returned ${status}`, isPermanent: status < 500 && !passingStatuses.has(status) };
}

const passingStatuses = new Set([408, 425, 429]);

/** The other receivers return no id. */
function findNtfyId(text: string): string | null {
  const [, id = null] = /^\{"id":"([\w-]{1,64})"/.exec(text) ?? [];
  return id;
}

function toSent(providerMessageId: string | null): SendResult {
  return { kind: 'sent', providerMessageId };
}

interface ProviderError {
  name?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
}

/** The provider looked at the message and will not take it. Throttling, timeouts and failures of the provider may pass. */
function isRejected(error: unknown): boolean {
  const { name = '', $metadata } = error as ProviderError;
  const status = $metadata?.httpStatusCode;
  return status !== undefined && status >= 400 && status < 500 && status !== 429 && !/Thrott|TooMany|Limit/.test(name);
}

/** Names the provider's error without its internals, because everybody who can read the incident sees it. */
function formatFailure(error: unknown): string {
  const { name, message } = error as ProviderError;
  return [name, message].filter(Boolean).join(': ').slice(0, maxErrorCharacters);
}

const maxErrorCharacters = 300;
