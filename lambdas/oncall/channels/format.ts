import type { ChatKind } from '../../../contract/contact-kinds.ts';
import { findIdKind, type IdKind } from '../../../contract/ids.ts';
import type { Mail } from '../../platform/clients/ses.ts';
import { escapeMarkdown, escapeSlack } from '../../webhooks/outbound/payload-format.ts';
import type { MessageRequest } from './message.ts';

// The text of a message on each channel. All of them contain the id of the message, so that a duplicate after a crash can
// be recognized.

export interface Content {
  /** Id of the message. */
  id: string;
  urgency: MessageRequest['urgency'];
  title: string;
  /** Sentences. */
  text: string;
  /** The first one is the most important: a text message contains only that one. */
  links: readonly { label: string; url: string }[];
}

/** Pages of the console by kind of id. */
const pages: Partial<Record<IdKind, string>> = {
  incident: 'incidents',
  change: 'changes',
  request: 'requests',
  proposal: 'proposals',
  article: 'knowledge',
  ci: 'cis',
  outboundWebhook: 'webhooks/outbound',
};

export function toContent(id: string, request: MessageRequest, consoleUrl: string): Content {
  const { urgency, record_id, title, reason, acknowledge_url } = request;
  const page = record_id === null ? undefined : pages[findIdKind(record_id) ?? 'event'];
  const about = record_id === null ? title : `${record_id}: ${title}`;
  return {
    id,
    urgency,
    title: toLine(urgency === 'page' ? `Page: ${about}` : about),
    text: reason,
    links: [
      ...(acknowledge_url === undefined ? [] : [{ label: 'Acknowledge', url: acknowledge_url }]),
      ...(page === undefined ? [] : [{ label: 'Open', url: `${consoleUrl}${page}/${record_id}` }]),
    ],
  };
}

/** A title becomes a header of a mail, where a line break would begin the next header. */
function toLine(text: string): string {
  return cut(text.replace(/\p{Cc}+/gu, ' ').trim(), 200);
}

export function toMail(to: string, { id, urgency, title, text, links }: Content): Mail {
  const lines = [text, ...links.map(({ label, url }) => `${label}: ${url}`), `Message ${id}`];
  const html = [
    `<h2>${escapeHtml(title)}</h2>`,
    `<p>${escapeHtml(text)}</p>`,
    ...links.map(({ label, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`),
    `<p><small>Message ${id}</small></p>`,
  ];
  // Mail clients show urgent messages first, and do not answer them with an absence note.
  const priority = urgency === 'page' ? { 'X-Priority': '1', Importance: 'high' } : {};
  return {
    to,
    subject: title,
    text: `${title}\n\n${lines.join('\n\n')}\n`,
    html: html.join('\n'),
    headers: { 'X-Message-Id': id, 'Auto-Submitted': 'auto-generated', ...priority },
  };
}

/** Each further part of about 150 characters costs as much as the first. */
export function toText({ id, title, text, links }: Content): string {
  const [first] = links;
  return [cut(title, 120), cut(text, 120), ...(first ? [first.url] : []), `(${id})`].join('\n');
}

interface ChatPost {
  headers: Record<string, string>;
  body: string;
}

export function toChat(kind: ChatKind, content: Content): ChatPost {
  return chatFormats[kind](content);
}

const json = (body: object): ChatPost => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const chatFormats: Record<ChatKind, (content: Content) => ChatPost> = {
  slack: ({ id, title, text, links }) => {
    const addresses = links.map(({ label, url }) => `<${url}|${label}>`).join('   ');
    const section = `*${escapeSlack(title)}*\n${escapeSlack(text)}${addresses === '' ? '' : `\n${addresses}`}`;
    return json({
      text: `${escapeSlack(title)} ${escapeSlack(text)}`,
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: section } },
        { type: 'context', elements: [{ type: 'mrkdwn', text: id }] },
      ],
    });
  },
  teams: ({ id, title, text, links }) => {
    const block = (extra: object) => ({ type: 'TextBlock', wrap: true, ...extra });
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        block({ size: 'Medium', weight: 'Bolder', text: escapeMarkdown(title) }),
        block({ text: escapeMarkdown(text) }),
        block({ isSubtle: true, size: 'Small', text: escapeMarkdown(id) }),
      ],
      actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
    };
    return json({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
    });
  },
  // ntfy takes the text as body and the rest as headers; it decodes RFC 2047.
  ntfy: ({ id, urgency, title, text, links }) => ({
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: `=?UTF-8?B?${Buffer.from(title).toString('base64')}?=`,
      priority: urgency === 'page' ? 'urgent' : 'default',
      ...(links[0] && { click: links[0].url }),
      ...(links.length > 0 && { actions: links.map(({ label, url }) => `view, ${label}, ${url}`).join('; ') }),
    },
    body: `${text}\n${id}`,
  }),
};

function escapeHtml(text: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

function cut(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
