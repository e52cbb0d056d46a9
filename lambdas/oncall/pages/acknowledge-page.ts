import { hash } from 'node:crypto';
import type { routes } from '../../../contract/routes.ts';
import { openIncidentStates } from '../../../contract/states.ts';
import type { IncidentDocument, IncidentRecord, IncidentRules } from '../../incidents/incident.ts';
import type { Clock } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import type { Changer } from '../../records/change-record.ts';
import type { AcknowledgeLinks } from './acknowledge-link.ts';
import type { StoredPage } from './page.ts';
import { acknowledgePages, findIncident, findPage, type PageStore } from './page-items.ts';

// The page behind the link in a message. GET only shows it, because programs that preview links send GET; POST
// acknowledges. It needs no script and nothing from another address.

interface LinkTools {
  store: PageStore;
  links: Pick<AcknowledgeLinks, 'verify'>;
  clock: Clock;
}

export function showAcknowledgement(tools: LinkTools): UseCase<typeof routes.showAcknowledgement> {
  return async ({ query: { t } }) => respond(await findView(t, tools));
}

export function acknowledgeByLink(
  tools: LinkTools & { change: Changer<IncidentDocument>; rules: Pick<IncidentRules, 'acknowledge'> },
): UseCase<typeof routes.acknowledgeByLink> {
  return async ({ query: { t } }) => {
    const view = await findView(t, tools);
    if (view.kind !== 'ask') return respond(view);
    const { person, incident, page } = view;
    const author = { actor: person, origin: { kind: 'page' as const, id: page.id } };
    const apply: Parameters<typeof tools.change>[0]['apply'] = ({ document }, nowMs) => ({
      document: tools.rules.acknowledge(document, person, nowMs),
    });
    await tools.change({ id: incident.id, author, apply });
    // The response confirms that nobody else is paged, so it waits for the end of the pages.
    await acknowledgePages(tools.store, tools.clock, incident.id, person);
    return respond({ kind: 'done', person, incident });
  };
}

type View =
  | { kind: 'invalid' | 'expired' }
  | { kind: 'ended'; incidentId: string; text: string }
  | { kind: 'acknowledged'; incidentId: string; by: string }
  | { kind: 'ask'; person: string; incident: IncidentRecord; page: StoredPage }
  | { kind: 'done'; person: string; incident: IncidentRecord };

async function findView(token: string, { store, links, clock }: LinkTools): Promise<View> {
  const link = await links.verify(token);
  if (!link) return { kind: 'invalid' };
  if (link.expiresAtMs <= clock.now()) return { kind: 'expired' };
  const page = await findPage(store, link.pageId);
  const person = page?.document.people[link.person]?.person;
  if (!page || person === undefined) return { kind: 'invalid' };
  const { incident_id: incidentId, state, acknowledged_by, created_at, log } = page.document;
  const incident = await findIncident(store, incidentId);
  if (!incident) return { kind: 'ended', incidentId, text: 'The incident was deleted.' };
  const { document } = incident;
  if (state === 'acknowledged') return { kind: 'acknowledged', incidentId, by: acknowledged_by ?? 'somebody' };
  if (!openIncidentStates.includes(document.state)) {
    return { kind: 'ended', incidentId, text: `The incident is ${document.state}.` };
  }
  if (document.acknowledged_at !== null && document.acknowledged_at > created_at) {
    return { kind: 'acknowledged', incidentId, by: document.acknowledged_by ?? 'somebody' };
  }
  if (state === 'ended') return { kind: 'ended', incidentId, text: log.at(-1)?.text ?? '' };
  return { kind: 'ask', person, incident, page };
}

const statuses = { invalid: 404, expired: 410, ended: 410, acknowledged: 200, ask: 200, done: 200 } as const;

function respond(view: View) {
  return { status: statuses[view.kind], headers: pageHeaders, body: toHtml(view) };
}

function toHtml(view: View): string {
  switch (view.kind) {
    case 'invalid':
      return layOut('Link not valid', ['This link is not valid. Open the incident in the console instead.']);
    case 'expired':
      return layOut('Link expired', ['This link has expired. Open the incident in the console instead.']);
    case 'ended':
      return layOut(`${view.incidentId} needs no answer`, [view.text]);
    case 'acknowledged':
      return layOut(`${view.incidentId} is acknowledged`, [`Acknowledged by ${view.by}. Nobody else is paged.`]);
    case 'done':
      return layOut(`${view.incident.id} acknowledged`, [
        `You acknowledged it as ${view.person}. Nobody else is paged.`,
        view.incident.document.short_description,
      ]);
    case 'ask':
      return layOut(
        `${view.incident.document.priority} · ${view.incident.id}`,
        [view.incident.document.short_description, `Asked: ${view.person}`],
        '<form method="post"><button type="submit">Acknowledge</button></form>' +
          '<p class="hint">You take responsibility, and nobody else is paged.</p>',
      );
  }
}

const style = `:root{color-scheme:light dark}body{margin:0;font:18px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{max-width:28rem;margin:0 auto;padding:2rem 1.25rem}h1{font-size:1.4rem;margin:0 0 1rem}p{margin:0 0 1rem;overflow-wrap:anywhere}
button{width:100%;min-height:3.5rem;border:0;border-radius:.75rem;background:#0b5fff;color:#fff;font:inherit;font-weight:600}
.hint{margin-top:1rem;font-size:.9rem;opacity:.8}`;

function layOut(title: string, paragraphs: readonly string[], actions = ''): string {
  const text = paragraphs.map((each) => `<p>${escapeHtml(each)}</p>`).join('');
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>${escapeHtml(title)}</title><style>${style}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${text}${actions}</main></body></html>`
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const pageHeaders = {
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'self'; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};
