import { operationTable, type ServiceClient } from '../client/index.ts';

// What `itsm export --all`, `itsm import` and `itsm apply` know about each kind of record: its operations by name. A kind comes
// after the kinds that it refers to. An operation that this release does not have leaves its kind out.

type Operation = string;

export interface Kind {
  kind: string;
  /** The name of the list in the file of `itsm apply`. */
  group: string;
  list: Operation;
  create?: Operation;
  update?: Operation;
  delete?: Operation;
  /** The bulk operation that imports a record with its id and its past. All other kinds are created. */
  import?: Operation;
  notes?: Operation;
  history?: Operation;
  /** Fields that identify a record for people; without them, only the journal of an import recognizes it. */
  key?: readonly string[];
  /** Whether `itsm apply` manages the kind. */
  isApplied?: boolean;
  /** The field with the address of the owner. Records of others are ignored. */
  owner?: string;
}

const named = (kind: string, group: string, operation: string, operations = `${operation}s`): Kind => ({
  kind,
  group,
  list: `list${operations}`,
  create: `create${operation}`,
  update: `update${operation}`,
  delete: `delete${operation}`,
  key: ['name'],
  isApplied: true,
});

const recorded = (kind: string, group: string, operation: string): Kind => ({
  kind,
  group,
  list: `list${operation}s`,
  create: `create${operation}`,
  update: `update${operation}`,
  history: `list${operation}History`,
});

const all: readonly Kind[] = [
  { ...recorded('ci', 'cis', 'Ci'), key: ['name', 'class'] },
  named('calendar', 'calendars', 'SlaCalendar'),
  named('sla_policy', 'sla_policies', 'SlaPolicy', 'SlaPolicies'),
  named('schedule', 'schedules', 'Schedule'),
  named('escalation_policy', 'escalation_policies', 'EscalationPolicy', 'EscalationPolicies'),
  named('inbound_webhook', 'inbound_webhooks', 'InboundWebhook'),
  named('outbound_webhook', 'outbound_webhooks', 'OutboundWebhook'),
  // The role of a key cannot change, so that a changed one is replaced.
  {
    kind: 'api_key',
    group: 'api_keys',
    list: 'listApiKeys',
    create: 'createApiKey',
    delete: 'deleteApiKey',
    key: ['name'],
    isApplied: true,
    owner: 'owner',
  },
  recorded('article', 'articles', 'Article'),
  recorded('change', 'changes', 'Change'),
  recorded('request', 'requests', 'Request'),
  { ...recorded('problem', 'problems', 'Problem'), notes: 'listProblemNotes', import: 'bulkProblems' },
  { ...recorded('incident', 'incidents', 'Incident'), notes: 'listWorkNotes', import: 'bulkIncidents' },
];

export const kinds = all.filter(({ list }) => Object.hasOwn(operationTable, list));

export const importedKinds = kinds.flatMap((kind) =>
  kind.import === undefined ? [] : [{ kind: kind.kind, operation: kind.import }],
);

export type Fields = Readonly<Record<string, unknown>>;

interface UntypedCall {
  (...args: unknown[]): Promise<Fields>;
  all(...args: unknown[]): AsyncIterable<Fields>;
}

export function getCall(client: ServiceClient, operation: string): UntypedCall {
  return client[operation as keyof ServiceClient] as unknown as UntypedCall;
}

export function listAll(client: ServiceClient, operation: string, query: object, signal: AbortSignal) {
  return getCall(client, operation).all(query, { signal });
}

export function formatKey({ key = [] }: Kind, record: Fields): string {
  return key.map((name) => String(record[name])).join(' ');
}

/** Values of secrets are never returned. */
export function isHidden(value: unknown): boolean {
  return value === '[hidden]';
}

/** Replaces texts anywhere in a value, such as ids of other records. */
export function replaceTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((entry) => replaceTexts(entry, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, replaceTexts(entry, replace)]));
}

/** Settings of the whole service, and those of the caller. */
export const settings: Readonly<
  Record<
    string,
    { read(client: ServiceClient): Promise<unknown>; write(client: ServiceClient, value: never): Promise<unknown> }
  >
> = {
  shared_views: {
    read: (client) => client.getSharedViews(),
    write: (client, value) => client.updateSharedViews(value),
  },
  preferences: {
    read: (client) => client.getPreferences(),
    write: (client, value) => client.updatePreferences(value),
  },
  group_paging: {
    read: async (client) => (await client.getAllGroupPaging()).groups,
    async write(client, groups: { group: string }[]) {
      for (const { group, ...paging } of groups) await getCall(client, 'putGroupPaging')({ group }, paging);
    },
  },
};
