import type { Incident } from '../resources/incident-words.ts';
import { describeSla, getSlaCountdown } from '../resources/sla.ts';
import { splitName } from '../ui/person.ts';
import { formatAge, formatDuration, formatTime } from '../ui/time.ts';
import type { FirstViewTemplates } from './templates.ts';

type Values = Readonly<Record<string, string>>;

/** Fills the placeholders with markup. Values are not searched for placeholders again. */
export function fillTemplate(template: string, values: Values): string {
  return template.replace(/~(\w+)~/g, (placeholder, name: string) => values[name] ?? placeholder);
}

const escapes: Values = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/** The markup of one incident, as the columns and the card of the list show it. */
export function renderRow(row: string, incident: Incident, templates: FirstViewTemplates, nowMs: number): string {
  const { id, short_description, assignment_group, assigned_to, updated_at } = incident;
  const { cells, priority, state } = templates;
  const texts = { id: escapeHtml(id), short_description: escapeHtml(short_description) };
  const updated = renderAge(updated_at, nowMs);
  const owner = escapeHtml(assigned_to ?? assignment_group ?? 'unassigned');
  return fillTemplate(row, {
    record: texts.id,
    id: fillTemplate(cells.id, texts),
    short_description: fillTemplate(cells.short_description, texts),
    card_title: fillTemplate(cells.card_title, texts),
    priority: priority[incident.priority] ?? '',
    state: state[incident.state] ?? '',
    sla: renderSla(incident, templates, nowMs),
    assignment_group: assignment_group === null ? cells.none : escapeHtml(assignment_group),
    assigned_to: assigned_to === null ? cells.none : renderPerson(assigned_to),
    updated_at: updated,
    line: `${texts.id} · ${owner} · updated ${updated}`,
  });
}

function renderSla(incident: Incident, { cells, sla }: FirstViewTemplates, nowMs: number): string {
  const { status, remainingMs } = getSlaCountdown(incident, nowMs);
  const left = formatDuration(remainingMs);
  const texts: Values = {
    paused: 'Paused',
    breached: `Breached <span class="unbroken">${left} ago</span>`,
  };
  const text = texts[status] ?? `<span class="unbroken">${left}</span>`;
  return fillTemplate(sla[status] ?? cells.none, { title: describeSla(incident), text });
}

function renderPerson(address: string): string {
  const [first, rest] = splitName(address).map(escapeHtml);
  return `<span class="wrapping" title="${escapeHtml(address)}">${first}${rest ? `<wbr>${rest}` : ''}</span>`;
}

function renderAge(at: string, nowMs: number): string {
  return `<time datetime="${at}" title="${formatTime(at)}" class="unbroken">${formatAge(at, nowMs)}</time>`;
}
