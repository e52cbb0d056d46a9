import { createLosses } from '../../../cli/convert-row.ts';
import { convertRows, parseRows, readMapping } from '../../../cli/import-rows.ts';
import { mergeMapping } from '../../../cli/mappings.ts';
import { incidentImport } from '../../../contract/incident-imports.ts';

// Exports as the tools write them, shortened. The service must accept every converted record.

function convert(tool: string, document: object, mapping: object = {}) {
  const losses = createLosses();
  const rows = parseRows(JSON.stringify(document), 'export.json', false);
  const records = convertRows(rows, tool, mergeMapping(readMapping(tool, undefined), mapping), losses);
  for (const record of records) expect(incidentImport.safeParse(record).error?.issues ?? []).toEqual([]);
  return { records, losses: losses.list() };
}

const toPerson = (name: string, emailAddress: string) => ({
  self: 'https://acme.atlassian.net/rest/api/2/user?accountId=5b10a284',
  accountId: '5b10a284',
  emailAddress,
  displayName: name,
  active: true,
});

describe('an export of Jira', () => {
  const ada = toPerson('Ada Lovelace', 'ada@acme.org');
  const issue = {
    expand: 'renderedFields,names,changelog',
    id: '10231',
    self: 'https://acme.atlassian.net/rest/api/2/issue/10231',
    key: 'OPS-231',
    fields: {
      summary: 'Checkout returns 502',
      description: 'h2. Symptom\nEvery fifth payment fails.',
      priority: { self: 'https://acme.atlassian.net/rest/api/2/priority/1', name: 'Highest', id: '1' },
      status: { name: 'Done', id: '10002', statusCategory: { key: 'done', name: 'Done' } },
      components: [{ id: '10001', name: 'Payments' }],
      labels: ['sev1', 'postmortem'],
      customfield_10041: 'EU',
      assignee: ada,
      reporter: toPerson('Grace Hopper', 'grace@acme.org'),
      created: '2026-03-02T09:15:00.000+0100',
      updated: '2026-03-02T11:00:00.000+0100',
      resolutiondate: '2026-03-02T10:45:00.000+0100',
      resolution: { name: 'Fixed', id: '1' },
      comment: {
        comments: [
          { author: ada, body: 'Rolled back.', created: '2026-03-02T10:40:00.000+0100', jsdPublic: false },
          { author: ada, body: 'Payments work again.', created: '2026-03-02T10:46:00.000+0100', jsdPublic: true },
        ],
        total: 2,
      },
    },
    changelog: {
      total: 2,
      histories: [
        {
          id: '2',
          author: ada,
          created: '2026-03-02T10:45:00.000+0100',
          items: [
            { field: 'status', from: '3', fromString: 'In Progress', to: '10002', toString: 'Done' },
            { field: 'resolution', from: null, fromString: null, to: '1', toString: 'Fixed' },
          ],
        },
        {
          id: '1',
          author: ada,
          created: '2026-03-02T09:20:00.000+0100',
          items: [{ field: 'status', from: '1', fromString: 'To Do', to: '3', toString: 'In Progress' }],
        },
      ],
    },
  };
  const { records, losses } = convert('jira', { startAt: 0, maxResults: 50, total: 1, issues: [issue] });

  it('keeps fields, people, dates, comments and the changelog in the order of time', () => {
    expect(records).toMatchObject([
      {
        external_id: 'jira OPS-231',
        short_description: 'Checkout returns 502',
        priority: 'P1',
        state: 'resolved',
        category: 'Payments',
        assigned_to: 'ada@acme.org',
        opened_by: 'grace@acme.org',
        created_at: '2026-03-02T08:15:00.000Z',
        resolved_at: '2026-03-02T09:45:00.000Z',
        resolution: 'Fixed',
        notes: [
          { body: 'Rolled back.', visibility: 'team', author: 'ada@acme.org', created_at: '2026-03-02T09:40:00.000Z' },
          { body: 'Payments work again.', visibility: 'public' },
          { visibility: 'team' },
        ],
        history: [
          { at: '2026-03-02T08:20:00.000Z', changes: { state: { from: 'new', to: 'in_progress' } } },
          {
            actor: 'ada@acme.org',
            changes: { state: { from: 'in_progress', to: 'resolved' }, resolution: { from: null, to: 'Fixed' } },
          },
        ],
      },
    ]);
  });

  it('keeps labels and custom fields in a note, and counts them', () => {
    const notes = records[0]?.notes as { body: string }[];
    expect(notes.at(-1)?.body).toContain('fields.labels: ["sev1","postmortem"]\nfields.customfield_10041: EU');
    expect(losses).toContainEqual({ fate: 'in a note', name: 'fields.labels', count: 1 });
  });

  it('reads the columns of a CSV export, with one column per comment', () => {
    const csv = [
      'Summary,Issue key,Status,Priority,Created,Comment,Comment',
      'Slow search,OPS-7,Waiting for customer,Low,02/Mar/26 9:15 AM,02/Mar/26 9:20 AM;ada;Which page?,02/Mar/26 9:30 AM;ada;None.',
    ].join('\n');
    const rows = parseRows(csv, 'export.csv', true);
    const [record] = convertRows(rows, 'jira', readMapping('jira', undefined), createLosses());
    const notes = record?.notes as { body: string }[];
    expect(record).toMatchObject({
      external_id: 'jira OPS-7',
      state: 'on_hold',
      priority: 'P4',
      created_at: '2026-03-02T09:15:00.000Z',
    });
    expect(notes.map(({ body }) => body.split('\n').at(-1))).toEqual(['Which page?', 'None.']);
  });
});

it('an export of Opsgenie keeps alerts, and takes the last update of a closed one as its resolution', () => {
  const alert = {
    id: '70413a06-38d6-4c85-92b8-5ebc900d42e2',
    tinyId: '1791',
    alias: 'disk-full-db1',
    message: 'Disk full on db1',
    status: 'closed',
    acknowledged: true,
    isSeen: true,
    tags: ['prod'],
    count: 12,
    lastOccurredAt: '2026-03-01T04:10:00.000Z',
    createdAt: '2026-03-01T04:00:00.111Z',
    updatedAt: '2026-03-01T05:30:00.222Z',
    source: 'Zabbix',
    owner: 'night.shift@acme.org',
    priority: 'P5',
    teams: [{ id: '4513b7ea', name: 'Storage' }],
    notes: [{ note: 'Deleted old dumps.', owner: 'night.shift@acme.org', createdAt: '2026-03-01T05:00:00Z' }],
    report: { ackTime: 15702, closeTime: 5400111, acknowledgedBy: 'night.shift@acme.org' },
  };
  const open = { tinyId: '1792', message: 'CPU high', status: 'open', priority: 'P1', createdAt: alert.createdAt };
  const { records, losses } = convert('opsgenie', { data: [alert, open] });
  expect(records).toMatchObject([
    {
      external_id: 'opsgenie 1791',
      priority: 'P4',
      state: 'resolved',
      category: 'Zabbix',
      assignment_group: 'Storage',
      assigned_to: 'night.shift@acme.org',
      resolved_at: alert.updatedAt,
      notes: [
        { body: expect.stringContaining('Deleted old dumps.') },
        { body: expect.stringContaining('tags: ["prod"]') },
      ],
    },
    { external_id: 'opsgenie 1792', priority: 'P1', state: 'new' },
  ]);
  expect(losses).toContainEqual({ fate: 'set', name: 'resolved_at', count: 1 });
});

it('an export of Zammad keeps tickets with public and internal articles', () => {
  const ticket = {
    id: 41,
    number: '23041',
    title: 'VPN does not connect',
    group: 'Service Desk',
    priority: '3 high',
    state: 'closed',
    owner: '-',
    customer: 'nicole.braun@zammad.org',
    organization: 'Acme',
    created_at: '2026-03-01T08:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.000Z',
    close_at: '2026-03-01T11:00:00.000Z',
    pending_time: null,
    articles: [
      {
        body: 'It asks for the password again and again.',
        created_by: 'nicole.braun@zammad.org',
        created_at: '2026-03-01T08:00:00.000Z',
        internal: false,
      },
      {
        body: 'Certificate expired.',
        created_by: 'ada@acme.org',
        created_at: '2026-03-01T09:00:00.000Z',
        internal: true,
      },
    ],
  };
  const { records } = convert('zammad', [ticket], { email_domain: 'acme.org' });
  expect(records).toMatchObject([
    {
      external_id: 'zammad 23041',
      priority: 'P2',
      state: 'closed',
      assignment_group: 'Service Desk',
      opened_by: 'nicole.braun@zammad.org',
      resolved_at: '2026-03-01T11:00:00.000Z',
      closed_at: '2026-03-01T11:00:00.000Z',
      notes: [
        { visibility: 'public', author: 'nicole.braun@zammad.org' },
        { visibility: 'team', author: 'ada@acme.org', created_at: '2026-03-01T09:00:00.000Z' },
        { body: expect.stringContaining('organization: Acme') },
      ],
    },
  ]);
  // A hyphen means that nobody owns it.
  expect(records[0]).not.toHaveProperty('assigned_to');
});
