import type { OutboundFormat } from '../../../contract/outbound-webhook-schemas.ts';
import { toConsoleUrl } from '../../records/service-event.ts';

// The body of a delivery in the format that its receiver expects. The service's own format is the event itself.

interface Event {
  event: string;
  timestamp: string;
  service_instance: string;
  data: Readonly<Record<string, unknown>> & { id: string; url: string };
}

export function formatPayload(format: OutboundFormat, eventId: string, payload: string): string {
  if (format === 'service') return payload;
  return JSON.stringify(formatters[format](JSON.parse(payload), eventId));
}

export function toContentType(format: OutboundFormat): string {
  return format === 'cloudevents' ? 'application/cloudevents+json; charset=utf-8' : 'application/json';
}

const formatters: Record<Exclude<OutboundFormat, 'service'>, (event: Event, eventId: string) => object> = {
  cloudevents: ({ event, timestamp, service_instance, data }, eventId) => ({
    specversion: '1.0',
    id: eventId,
    source: `/incident-service/${encodeURIComponent(service_instance)}`,
    type: event,
    subject: data.id,
    time: timestamp,
    datacontenttype: 'application/json',
    data,
  }),
  slack: (event) => {
    const { title, link, summary, facts } = describe(event);
    const details = facts.map(({ name, value }) => `${name}: *${escapeSlack(value)}*`).join('   ');
    const text = `*${escapeSlack(title)}* <${link}|${event.data.id}>\n${escapeSlack(summary)}`;
    return {
      text: `${escapeSlack(title)} ${event.data.id} ${escapeSlack(summary)}`.trim(),
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text } },
        ...(details === '' ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: details }] }]),
      ],
    };
  },
  teams: (event) => {
    const { title, link, summary, facts } = describe(event);
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        { type: 'TextBlock', size: 'Medium', weight: 'Bolder', wrap: true, text: `${title}: ${event.data.id}` },
        ...(summary === '' ? [] : [{ type: 'TextBlock', wrap: true, text: escapeMarkdown(summary) }]),
        { type: 'FactSet', facts: facts.map(({ name, value }) => ({ title: name, value })) },
      ],
      actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
    };
    return {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
    };
  },
};

/** The parts of a human-readable message. */
function describe({ event, data }: Event) {
  const words = event.replace('sla.', 'SLA ').replace(/[._]/g, ' ');
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const facts = [
    { name: 'Priority', value: text(data.priority) },
    { name: 'State', value: text(data.state).replace('_', ' ') },
  ];
  return {
    title: words.charAt(0).toUpperCase() + words.slice(1),
    // Events of earlier releases have the address of the API here.
    link: toConsoleUrl(data.url),
    summary: text(data.short_description) || text(data.name),
    facts: facts.filter(({ value }) => value !== ''),
  };
}

/** Escapes the three control characters of Slack. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Adaptive Cards render a subset of Markdown: links, emphasis and lists. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]()#]/g, '\\$&');
}
