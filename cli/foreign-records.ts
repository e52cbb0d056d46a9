import type { Conversion, ImportedNote } from './import-record.ts';

// Converts incidents of other tools. Field names differ by tool version and export format, so each field has several
// names. A value without a counterpart goes into a work note, so that nothing is lost.

type Source = Readonly<Record<string, unknown>>;

export const foreignTools: Readonly<Record<string, (source: Source) => Conversion>> = {
  servicenow: fromServiceNow,
  pagerduty: fromPagerDuty,
};

const serviceNowStates: Readonly<Record<string, string>> = {
  '1': 'new',
  '2': 'in_progress',
  '3': 'on_hold',
  '6': 'resolved',
  '7': 'closed',
  '8': 'cancelled',
  new: 'new',
  active: 'in_progress',
  'in progress': 'in_progress',
  'on hold': 'on_hold',
  'awaiting user info': 'on_hold',
  resolved: 'resolved',
  closed: 'closed',
  canceled: 'cancelled',
  cancelled: 'cancelled',
};

/** The web service and the list export of ServiceNow. Priority 5 becomes P4 and stays in the note. */
function fromServiceNow(source: Source): Conversion {
  const { take, finish } = createReader(source);
  const number = take(['number', 'task_effective_number']);
  const origin = ['Imported from ServiceNow', number, prefix('opened ', take(['opened_at', 'sys_created_on']))];
  const combined = take(['comments_and_work_notes']);
  const separate = [...parseJournal(take(['comments']), 'public'), ...parseJournal(take(['work_notes']), 'team')];
  const notes = separate.length > 0 ? separate : parseJournal(combined, 'team');
  const isPlanning = readText(source, 'priority').startsWith('5');
  return finish(notes.sort(byTime), {
    external_id: prefix('servicenow ', number),
    short_description:
      take(['short_description'], toLine(255)) ?? cut(readText(source, 'short_description') || `ServiceNow ${number}`),
    description: [take(['description']), [...origin, take(['cmdb_ci'])].filter(Boolean).join(', ')]
      .filter(Boolean)
      .join('\n\n'),
    priority: take(['priority'], (text) => prefix('P', /^[1-4]/.exec(text)?.[0])) ?? (isPlanning ? 'P4' : undefined),
    state: toState(serviceNowStates, take(['state', 'incident_state'])),
    category: take(['category'], toLine(100)),
    subcategory: take(['subcategory'], toLine(100)),
    impact: take(['impact'], toLevel),
    urgency: take(['urgency'], toLevel),
    assignment_group: take(['assignment_group'], toLine(100)),
    assigned_to: take(['assigned_to.email', 'assigned_to'], toEmail),
    resolution: take(['close_notes'], fits(8_000)),
  });
}

const pagerDutyStates: Readonly<Record<string, string>> = {
  triggered: 'new',
  acknowledged: 'in_progress',
  resolved: 'resolved',
};

/** The REST API and the incident export of PagerDuty. */
function fromPagerDuty(source: Source): Conversion {
  const { take, finish } = createReader(source);
  const number = take(['incident_number', 'number', 'id']);
  const origin = ['Imported from PagerDuty', number, prefix('opened ', take(['created_at', 'created_on']))];
  const urgency = take(['urgency'], toLevel);
  const priority = take(['priority', 'priority_name'], (text) => /P[1-4]/i.exec(text)?.[0]?.toUpperCase());
  const isLowest = /P5/i.test(readText(source, 'priority') || readText(source, 'priority_name'));
  return finish(
    takeNotes(source.notes, () => take(['notes'])),
    {
      external_id: prefix('pagerduty ', number),
      short_description:
        take(['title', 'summary', 'description'], toLine(255)) ??
        cut(readText(source, 'title') || `PagerDuty ${number}`),
      description: [take(['body.details']), [...origin, take(['html_url'])].filter(Boolean).join(', ')]
        .filter(Boolean)
        .join('\n\n'),
      priority: priority ?? (isLowest ? 'P4' : urgency === 'high' ? 'P2' : undefined),
      state: toState(pagerDutyStates, take(['status'])),
      urgency,
      category: take(['service.summary', 'service_name', 'service'], toLine(100)),
      assignment_group: take(['escalation_policy.summary', 'escalation_policy_name', 'team_name'], toLine(100)),
      resolution: take(['resolve_reason'], fits(8_000)),
    },
  );
}

type Convert = (text: string) => string | undefined;

interface DatedNote extends ImportedNote {
  at: string;
}

/** Reads fields and remembers which columns were used. */
function createReader(source: Source) {
  const left = new Set(Object.keys(source));
  return {
    /** The first field with a value that can be converted. */
    take(names: readonly string[], convert: Convert = (text) => text): string | undefined {
      for (const name of names) {
        const text = readText(source, name);
        const value = text === '' ? undefined : convert(text);
        if (value === undefined) continue;
        left.delete(name in source ? name : (name.split('.')[0] ?? ''));
        return value;
      }
      return undefined;
    },
    /** Writes the unused columns into a note in front of the others. */
    finish(
      notes: readonly ImportedNote[],
      fields: { short_description: string } & Record<string, string | undefined>,
    ): Conversion {
      const unused = [...left]
        .map((name) => ({ name, text: readText(source, name) }))
        .concat(Object.keys(source).flatMap((name) => listReferenceMembers(source, name)))
        .filter(({ text }) => text !== '');
      const rest = unused.map(({ name, text }) => `${name}: ${text}`).join('\n');
      const all = [...(rest === '' ? [] : [{ body: rest, visibility: 'team' as const }]), ...notes].flatMap(splitNote);
      const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
      return {
        record: { short_description: '', ...Object.fromEntries(given), ...(all.length > 0 ? { notes: all } : {}) },
        inNotes: unused.map(({ name }) => name),
        dropped: [],
      };
    },
  };
}

const maxNoteLength = 15_000;

/** Notes are limited to 32,000 characters. */
function splitNote({ body, visibility }: ImportedNote): ImportedNote[] {
  const count = Math.ceil(body.length / maxNoteLength);
  const parts = Array.from({ length: count }, (_, at) => body.slice(at * maxNoteLength, (at + 1) * maxNoteLength));
  return parts.map((part) => ({ body: part, visibility }));
}

/** The entries of a ServiceNow journal: a line with time, author and kind, then the text; newest first. */
function parseJournal(text: string | undefined, visibility: ImportedNote['visibility']): DatedNote[] {
  const entries: { at: string; head: string; kind: string; lines: string[] }[] = [];
  for (const line of (text ?? '').split(/\r?\n/)) {
    const [, at = '', author = '', kind = ''] =
      /^(\d[\d/.:APM -]{9,24}) - ([^()]{1,100}) \(([^()]{1,60})\)$/.exec(line) ?? [];
    if (at !== '') entries.push({ at, head: `**${author}, ${at}** (${kind})`, kind, lines: [] });
    else if (entries.length > 0) entries.at(-1)?.lines.push(line);
    else if (line.trim() !== '') entries.push({ at: '', head: '', kind: '', lines: [line] });
  }
  return entries.reverse().map(({ at, head, kind, lines }) => ({
    at,
    body: `${head}\n\n${lines.join('\n').trim()}`.trim(),
    visibility: /comment/i.test(kind) ? 'public' : visibility,
  }));
}

const byTime = (a: DatedNote, b: DatedNote) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** Notes of the PagerDuty API. */
function takeNotes(notes: unknown, markUsed: () => void): DatedNote[] {
  if (!Array.isArray(notes) || !notes.every((note) => typeof note?.content === 'string')) return [];
  markUsed();
  return notes
    .map((note) => ({
      at: readText(note, 'created_at'),
      body: `**${readText(note, 'user')}, ${readText(note, 'created_at')}**\n\n${readText(note, 'content')}`,
      visibility: 'team' as const,
    }))
    .sort(byTime);
}

/** Reference fields are objects with a name. Other objects and lists are JSON. Removes control characters. */
function readText(source: Source, name: string): string {
  const found = name in source ? source[name] : name.split('.').reduce<unknown>(readMember, source);
  const isObject = typeof found === 'object' && found !== null;
  const value = isObject ? (readName(found as Source) ?? (isEmpty(found) ? '' : JSON.stringify(found))) : found;
  return value === null || value === undefined
    ? ''
    : String(value)
        .replace(/[^\P{Cc}\t\n\r]/gu, '')
        .trim();
}

/** What a reference holds besides its name, such as the id and the address of the linked object. */
function listReferenceMembers(source: Source, name: string): { name: string; text: string }[] {
  const value = source[name];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const reference = value as Source;
  const shown = readName(reference);
  if (shown === undefined || !('link' in reference || 'id' in reference)) return [];
  const others = Object.keys(reference).filter((member) => reference[member] !== shown);
  return others.map((member) => ({ name: `${name}.${member}`, text: readText(reference, member) }));
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Source)[name] : undefined;
}

function readName(value: Source): unknown {
  return value.display_value ?? value.summary ?? value.name ?? value.value;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** An unknown state stays as it is, so that the import reports it. */
function toState(states: Readonly<Record<string, string>>, text: string | undefined): string | undefined {
  const word = text?.toLowerCase().replace(/^\d+ - /, '') ?? '';
  return states[word] ?? text;
}

function toLevel(text: string): string | undefined {
  const word = text.toLowerCase();
  if (/^1|high/.test(word)) return 'high';
  if (/^2|medium/.test(word)) return 'medium';
  return /^3|low/.test(word) ? 'low' : undefined;
}

function toEmail(text: string): string | undefined {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined;
}

/** A text that is too long goes into the note. */
function fits(maxLength: number): Convert {
  return (text) => (text.length <= maxLength ? text : undefined);
}

function toLine(maxLength: number): Convert {
  return (text) => fits(maxLength)(text.replace(/\s+/g, ' '));
}

/** The beginning of a summary that is too long; the note has all of it. */
function cut(text: string): string {
  return text.length > 255 ? `${text.replace(/\s+/g, ' ').slice(0, 254)}…` : text;
}

function prefix(before: string, text: string | undefined): string | undefined {
  return text && `${before}${text}`;
}
