// Shows the incident list as soon as its records are there, long before the application can. Its links work; what the
// user does with other controls is repeated when the application takes over.
import { apiRoot } from '../../client/operation-table.ts';
import { parseRateLimit } from '../../client/rate-limit.ts';
import { preferredTheme } from '../app/preferred-theme.ts';
import type { FirstView } from '../base/handover.ts';
import type { Page } from '../base/paging.ts';
import { serverNow, syncServerClock } from '../base/server-clock.ts';
import { defaultLimit, parseAddress, toListRequest } from '../records/list-address.ts';
import { type Incident, incidentListSpec } from '../resources/incident-words.ts';
import { watchInput } from './early-input.ts';
import { escapeHtml, fillTemplate, renderRow } from './rows.ts';
import type { FirstViewTemplates } from './templates.ts';

declare const FIRST_VIEW_TEMPLATES: FirstViewTemplates;

const timeoutMs = 10_000;
const writers = ['itsm_agent', 'itsm_manager', 'super_admin'];

const caller = readCaller();
// Own columns and page sizes, and the list without the right to change it, look different.
if (caller && localStorage.getItem('console.incidents.preferences') === null) void show(caller);

interface Caller {
  token: string;
  email: string;
}

/** The signed-in user according to the stored tokens, which the service checks. */
function readCaller(): Caller | undefined {
  try {
    const { access_token: token, id_token, renew_at } = JSON.parse(localStorage.getItem('console.tokens') ?? '{}');
    const claims = JSON.parse(atob(id_token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
    const canWrite = writers.some((role) => claims['cognito:groups']?.includes(role));
    return canWrite && Date.now() < renew_at ? { token, email: String(claims.email) } : undefined;
  } catch {
    return undefined;
  }
}

async function show({ token, email }: Caller): Promise<void> {
  const requests: FirstView['requests'] = new Map();
  const send = (address: string, init: RequestInit = {}): Promise<Response> => {
    const response = fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    // Read at once: a body that is read after the timeout is lost, even if it has arrived.
    requests.set(
      address,
      response.then(async (one) => new Response(await one.clone().blob(), one)),
    );
    return response;
  };
  let isEnded = false;
  let end = () => {};
  window.firstView = {
    requests,
    end: () => {
      isEnded = true;
      end();
    },
  };
  try {
    const config = await (await send(new URL('/console/config.json', location.origin).href)).json();
    const headers = { accept: 'application/json, application/problem+json', authorization: `Bearer ${token}` };
    const api = String(config.base_url) + apiRoot;
    const { page, ...request } = toListRequest(parseAddress('', incidentListSpec), Date.now());
    const query = new URLSearchParams(
      Object.entries({ ...request, page }).map(([name, value]) => [name, String(value)]),
    );
    void send(`${api}/me`, { headers });
    const response = await send(`${api}/incidents?${query}`, { headers });
    const { resetsAt } = parseRateLimit(response.headers) ?? {};
    if (resetsAt) syncServerClock(resetsAt);
    if (!response.ok) return;
    const list = await response.json();
    // The application may have taken over meanwhile; a view that is shown after that would cover it forever.
    if (!isEnded) end = render(list, { email, instance: config.service_instance });
  } catch {
    // The application sends the requests itself and reports the failure.
  }
}

/** Returns a function that shows the application instead. */
function render({ data, total }: Page<Incident>, texts: Record<'email' | 'instance', string>): () => void {
  const isNarrow = matchMedia('(max-width: 688px)').matches;
  const { page, row } = isNarrow ? FIRST_VIEW_TEMPLATES.narrow : FIRST_VIEW_TEMPLATES.wide;
  const pages = Math.max(1, Math.ceil(total / defaultLimit));
  const view = document.createElement('div');
  view.id = 'first-view';
  view.innerHTML = fillTemplate(page, {
    rows: data.map((incident) => renderRow(row, incident, FIRST_VIEW_TEMPLATES, serverNow())).join(''),
    email: escapeHtml(texts.email),
    instance: escapeHtml(texts.instance),
    total: total.toLocaleString('en'),
    pages: String(pages),
  });
  adjust(view, isNarrow, pages);
  document.title = 'Incidents – Incident Service';
  document.body.append(view);
  document.body.classList.add('first-view-shown');
  const moveInput = watchInput(view);
  return () =>
    moveInput(() => {
      document.body.classList.remove('first-view-shown');
      view.remove();
    });
}

/** Up to this number, the list shows a button for every page. */
const maxPageButtons = 7;

/** Makes the adjustments that components make once they can measure themselves. */
function adjust(view: HTMLElement, isNarrow: boolean, pages: number): void {
  const findAll = (selector: string) => [...view.querySelectorAll<HTMLElement>(selector)];
  const barParts = ['title', 'text', 'rotate'].map((part) => `#top-bar [class*="awsui_${part}_"]`).join();
  const removed = ['[class*="awsui_virtual_"]', ...(isNarrow ? [barParts] : [])];
  for (const element of findAll(removed.join())) element.remove();
  for (const element of isNarrow ? [] : findAll('#top-bar [class*="awsui_narrow_"]')) {
    element.className = element.className.replaceAll(/awsui_narrow_\S+/g, '');
  }
  const [themeIcon] = preferredTheme() === 'dark' ? findAll('#top-bar [aria-label="Use dark theme"] svg') : [];
  if (themeIcon) themeIcon.outerHTML = FIRST_VIEW_TEMPLATES.cells.sun;
  for (const list of findAll('ul:has(> li > [aria-label^="Page "])')) {
    const [previous, ...items] = [...list.children];
    const next = items.pop();
    if (pages > maxPageButtons || !previous || !next) continue;
    list.replaceChildren(previous, ...items.slice(0, pages), next);
  }
}
