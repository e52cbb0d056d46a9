import type { DynamoDBRecord } from 'aws-lambda';
import { eventTypes } from '../../../contract/events.ts';
import { emitEvents } from '../../../lambdas/events/emit-events.ts';
import { eventRules, toEvents } from '../../../lambdas/events/event.ts';
import { stakeholderRequest, toRecordChange } from '../../../lambdas/records/record-change.ts';
import { type ServiceEvent, toFilterView } from '../../../lambdas/records/service-event.ts';
import { captureLines, hideMetrics } from '../../support/captured-lines.ts';

hideMetrics();

const at = '2026-03-01T09:30:00.000Z';
const formatter = { rules: eventRules, serviceInstance: 'test', apiUrl: 'https://example.com/prod/api/v1' };
const sla = { priority: 'P3', phases: [{ clock: 'running', from: 0 }], marks: {} };
const incident = {
  short_description: 'Mail',
  priority: 'P3',
  state: 'new',
  category: null,
  assigned_to: null,
  assignment_group: null,
  sla_breach_at: null,
  sla,
};

interface Version {
  version: number;
  document: unknown;
  deleted?: boolean;
}

/** A stream record as Lambda passes it. */
function entry(type: string, id: string, before: Version | null, after: Version | null, sk = '#'): DynamoDBRecord {
  const image = ({ version, document, deleted }: Version) => ({
    type: { S: type },
    version: { N: String(version) },
    updated_at: { S: at },
    actor: { S: 'ada@example.com' },
    origin: { S: '{"kind":"api","id":null}' },
    document: { S: JSON.stringify(document) },
    ...(deleted && { deleted: { BOOL: true } }),
  });
  return {
    eventName: before ? 'MODIFY' : 'INSERT',
    dynamodb: {
      Keys: { pk: { S: id }, sk: { S: sk } },
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
    },
  };
}

const toEmitted = (type: string, before: unknown, after: unknown, deleted = false) => {
  const old = before === null ? null : { version: 1, document: before };
  const change = toRecordChange(
    entry(type, 'ID1', old, { version: before === null ? 1 : 2, document: after, deleted }),
  );
  return toEvents(change!, formatter);
};

const names = (events: readonly ServiceEvent[]) => events.map(({ type }) => type);

describe('events of incidents', () => {
  it('describe a creation with the payload of the interface', () => {
    const [event] = toEmitted('incident', null, incident);
    expect(JSON.parse(event!.payload)).toEqual({
      event: 'incident.created',
      timestamp: at,
      service_instance: 'test',
      data: {
        id: 'ID1',
        short_description: 'Mail',
        priority: 'P3',
        state: 'new',
        url: 'https://example.com/console/incidents/ID1',
        api_url: 'https://example.com/prod/api/v1/incidents/ID1',
      },
    });
  });

  it.each([
    [{ category: 'mail' }, ['incident.updated']],
    [{ priority: 'P1' }, ['incident.updated', 'incident.priority_changed']],
    [{ state: 'resolved' }, ['incident.updated', 'incident.resolved']],
    [{ state: 'resolved', priority: 'P2' }, ['incident.updated', 'incident.resolved', 'incident.priority_changed']],
    [{ state: 'closed' }, ['incident.updated']],
    [{ sla: { ...sla, marks: { P3: { warned_at: 1 } } } }, ['sla.breach_warning']],
    [{ sla: { ...sla, marks: { P3: { warned_at: 1, breached_at: 1 } } } }, ['sla.breach_warning', 'sla.breached']],
    [{ category: 'x', sla: { ...sla, marks: { P3: { warned_at: 1 } } } }, ['incident.updated', 'sla.breach_warning']],
  ])('after %j are %j', (patch, expected) => {
    expect(names(toEmitted('incident', incident, { ...incident, ...patch }))).toEqual(expected);
  });

  it('contain the changed fields, also for a deletion', () => {
    const [updated] = toEmitted('incident', incident, { ...incident, category: 'mail' });
    expect(JSON.parse(updated!.payload).data.changes).toEqual({ category: { from: null, to: 'mail' } });
    const [deleted] = toEmitted('incident', incident, incident, true);
    expect(JSON.parse(deleted!.payload)).toMatchObject({
      event: 'incident.updated',
      data: { changes: { deleted: { from: false, to: true } } },
    });
  });

  it('report an escalation alone, with its step', () => {
    const escalation = { page_id: 'PAG7Q2M4KX8T5VW', step: 2, repetition: 0 };
    const [only, ...others] = toEmitted('incident', incident, { ...incident, escalation });
    expect([only!.type, others]).toEqual(['incident.escalated', []]);
    expect(JSON.parse(only!.payload).data).toMatchObject({ priority: 'P3', escalation });
  });

  it('report an acknowledgement, and not that it was cleared', () => {
    const acknowledged = { ...incident, acknowledged_at: at, acknowledged_by: 'ada@example.com' };
    expect(names(toEmitted('incident', incident, acknowledged))).toEqual(['incident.updated', 'incident.acknowledged']);
    expect(names(toEmitted('incident', acknowledged, incident))).toEqual(['incident.updated']);
  });

  it('have ids derived from record, version and type', () => {
    const [one] = toEmitted('incident', null, incident);
    const [same] = toEmitted('incident', null, incident);
    const others = toEmitted('incident', incident, { ...incident, priority: 'P1' });
    expect(one!.id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(same!.id).toBe(one!.id);
    expect(new Set([one!.id, ...others.map(({ id }) => id)]).size).toBe(3);
  });

  it('offer the record to filters under the name of its type', () => {
    const [updated] = toEmitted('incident', incident, { ...incident, state: 'in_progress' });
    expect(toFilterView(updated!)).toMatchObject({
      event: 'incident.updated',
      incident: { priority: 'P3', category: null, number: updated!.recordId, updated_at: at, deleted: false },
      data: { priority: 'P3' },
      changes: { state: { to: 'in_progress' } },
    });
  });
});

describe('rules of other records', () => {
  const draft = { short_description: 'A change', state: 'draft' };

  it.each([
    ['change', null, { ...draft, state: 'submitted' }, ['change.submitted']],
    ['change', null, draft, []],
    ['change', draft, { ...draft, state: 'submitted' }, ['change.submitted']],
    ['change', { ...draft, state: 'submitted' }, { ...draft, state: 'approved' }, ['change.approved']],
    ['change', { ...draft, state: 'submitted' }, { ...draft, state: 'rejected' }, ['change.rejected']],
    ['change', { ...draft, state: 'approved' }, { ...draft, state: 'approved', risk: 'high' }, []],
    ['change', { ...draft, state: 'approved' }, { ...draft, state: 'implementing' }, []],
    ['request', null, { ...draft, state: 'submitted' }, ['request.submitted']],
    ['request', { ...draft, state: 'submitted' }, { ...draft, state: 'approved' }, ['request.approved']],
    ['request', { ...draft, state: 'submitted' }, { ...draft, state: 'rejected' }, []],
    ['ci', null, { name: 'db1', class: 'server', status: 'operational', discovered_at: at }, ['ci.discovered']],
    ['ci', null, { name: 'db1', class: 'server', status: 'operational', discovered_at: null }, []],
    ['ci', { name: 'db1', discovered_at: at }, { name: 'db2', discovered_at: at }, []],
    ['article', null, { title: 'How to' }, []],
  ])('%s from %j to %j emits %j', (type, before, after, expected) => {
    expect(names(toEmitted(type, before, after))).toEqual(expected);
  });

  it('contain the URL of the record', () => {
    const [event] = toEmitted('ci', null, { name: 'db1', class: 'server', status: 'operational', discovered_at: at });
    expect(JSON.parse(event!.payload).data).toEqual({
      id: 'ID1',
      name: 'db1',
      class: 'server',
      state: 'operational',
      url: 'https://example.com/console/cis/ID1',
      api_url: 'https://example.com/prod/api/v1/cmdb/cis/ID1',
    });
  });

  it('cover every event type', () => {
    const all = [
      ...toEmitted('incident', null, incident),
      ...toEmitted('incident', incident, {
        ...incident,
        state: 'resolved',
        priority: 'P1',
        acknowledged_at: at,
        escalation: { page_id: 'PAG1', step: 2, repetition: 0 },
        sla: { ...sla, marks: { P3: { warned_at: 1, breached_at: 1 } } },
      }),
      ...['submitted', 'approved', 'rejected'].flatMap((state) => toEmitted('change', draft, { ...draft, state })),
      ...['submitted', 'approved'].flatMap((state) => toEmitted('request', draft, { ...draft, state })),
      ...toEmitted('problem', null, draft),
      ...toEmitted('problem', draft, { ...draft, state: 'resolved' }),
      ...toEmitted('ci', null, { discovered_at: at }),
    ];
    expect(new Set(names(all))).toEqual(new Set(eventTypes));
  });
});

describe('recordChange', () => {
  const first = { version: 1, document: incident };

  it.each([
    ['a note', entry('incident', 'INC1', null, first, 'note#1')],
    ['a version of history', entry('incident', 'INC1', null, first, 'version#0000000001')],
    ['a note counted on a record', entry('incident', 'INC1', first, first)],
    ['an item that is removed', entry('incident', 'INC1', first, null)],
    ['an entry without images', { dynamodb: { Keys: { pk: { S: 'x' }, sk: { S: '#' } } } }],
  ])('takes %s for no change', (_what, given) => {
    expect(toRecordChange(given)).toBeUndefined();
  });
});

const nothing = async () => {};
const quietTools: Parameters<typeof emitEvents>[1] = {
  formatter,
  page: nothing,
  events: { append: nothing },
  deliver: nothing,
  audit: nothing,
  findDocument: async () => undefined,
  findExisting: async () => [],
  recordGroupName: () => [],
  notify: nothing,
  messages: { request: nothing },
  listFollowers: async () => [],
  publish: nothing,
  sendToDeadLetterQueue: nothing,
  log: () => {},
};

describe('emitEvents', () => {
  it('sends malformed entries to the dead-letter queue and continues', async () => {
    const broken = entry('incident', 'INC0', null, { version: 1, document: incident });
    broken.dynamodb!.NewImage!.document = { S: '{' };
    const good = entry('incident', 'INC1', null, { version: 1, document: incident });
    const [aside, stored, sent]: unknown[][] = [[], [], []];
    const response = await emitEvents(
      { Records: [broken, good] },
      {
        ...quietTools,
        events: { append: async (events) => void stored!.push(...events) },
        deliver: async (events) => void sent!.push(...events),
        sendToDeadLetterQueue: async (one) => void aside!.push(one),
      },
    );
    expect(response).toEqual({ batchItemFailures: [] });
    expect(aside).toEqual([broken]);
    expect(stored).toHaveLength(1);
    expect(sent).toEqual(stored);
  });

  const timeout = Object.assign(new Error('no response'), { name: 'TimeoutError' });
  const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException', $metadata: {} });
  const invalid = Object.assign(new Error('key too long'), { name: 'ValidationException', $metadata: {} });
  const cancelled = Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    $metadata: {},
    CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }],
  });
  const ids = ['INC1', 'INC2', 'INC3'];
  const createBatch = () =>
    ids.map((id) => {
      const before = { version: 1, document: incident };
      const assigned = { ...incident, assigned_to: `${id}@example.com`, assignment_group: id };
      return entry('incident', id, before, { version: 2, document: assigned, deleted: false });
    });
  /** Tools that record the ids of all processed records; one step fails for INC2. */
  const createFailing = (failingStep: string, error: Error) => {
    const done: Record<string, string[]> = { append: [], deliver: [], notify: [], audit: [], rejected: [] };
    const step = (name: string) => async (given: readonly unknown[]) => {
      const found = ids.filter((id) => JSON.stringify(given).includes(id));
      if (name === failingStep && found.includes('INC2')) throw error;
      done[name]!.push(...found);
    };
    const tools = {
      ...quietTools,
      events: { append: step('append') },
      deliver: step('deliver'),
      notify: step('notify'),
      audit: step('audit'),
      sendToDeadLetterQueue: async (one: unknown) => step('rejected')([one]),
    };
    return { done, tools };
  };

  it.each([
    ['append', invalid, ['append', 'deliver']],
    ['deliver', invalid, ['deliver']],
    ['notify', invalid, ['notify']],
    ['notify', cancelled, ['notify']],
    ['audit', invalid, ['audit']],
  ])('rejects only the entry whose %s can never succeed', async (name, error, missing) => {
    const Records = createBatch();
    const { done, tools } = createFailing(name, error);
    if (name === 'audit') for (const { dynamodb } of Records) dynamodb!.NewImage!.deleted = { BOOL: true };
    expect(await emitEvents({ Records }, tools)).toEqual({ batchItemFailures: [] });
    expect(done.rejected).toEqual(['INC2']);
    for (const each of ['append', 'deliver', ...(name === 'audit' ? ['audit'] : ['notify'])]) {
      expect([each, done[each]]).toEqual([each, missing.includes(each) ? ['INC1', 'INC3'] : ids]);
    }
  });

  it.each([
    ['append', timeout],
    ['deliver', throttled],
    ['notify', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ['notify', Object.assign(new Error('too many conflicts'), { isTransient: true })],
  ])('fails the batch, so that it is retried, when %s may succeed later', async (name, error) => {
    const { done, tools } = createFailing(name, error);
    await expect(emitEvents({ Records: createBatch() }, tools)).rejects.toThrow(error);
    expect(done.rejected).toEqual([]);
  });

  it('retries when the incident of a note cannot be read at the moment', async () => {
    const note = entry('note', 'INC1', null, { version: 1, document: { incident_id: 'INC1', body: 'Hi' } }, 'note#1');
    const rejected: unknown[] = [];
    const tools = {
      ...quietTools,
      findDocument: () => Promise.reject(throttled),
      sendToDeadLetterQueue: async (one: unknown) => void rejected.push(one),
    };
    await expect(emitEvents({ Records: [note] }, tools)).rejects.toThrow('slow down');
    expect(rejected).toEqual([]);
  });

  it('writes the note of a change whose writer crashed, and no note that exists', async () => {
    const change = entry('incident', 'INC1', { version: 1, document: incident }, { version: 2, document: incident });
    const note = { pk: { S: 'INC1' }, sk: { S: 'note#1' } };
    change.dynamodb!.NewImage!.follow_up = { S: JSON.stringify(note) };
    const emitWith = async (existing: (typeof note)[]) => {
      const written: unknown[] = [];
      const notify = async (writes: readonly unknown[]) => void written.push(...writes);
      await emitEvents({ Records: [change] }, { ...quietTools, findExisting: async () => existing, notify });
      return written;
    };
    expect(await emitWith([])).toMatchObject([{ put: { Item: note } }]);
    expect(await emitWith([note])).toEqual([]);
  });

  it('notifies the stakeholders of a new incident on request, once', async () => {
    const emitFor = async (notify: object, before: Version | null = null) => {
      const created = entry('incident', 'INC1', before, { version: 2, document: incident });
      Object.assign(created.dynamodb!.NewImage!, notify);
      const written: unknown[] = [];
      await emitEvents(
        { Records: [created] },
        { ...quietTools, notify: async (writes) => void written.push(...writes) },
      );
      return written;
    };
    const [notification, ...others] = await emitFor(stakeholderRequest);
    expect(notification).toMatchObject({ put: { Item: { pk: { S: 'notification#topic#stakeholders' } } } });
    expect(others).toEqual([]);
    expect(await emitFor({})).toEqual([]);
    expect(await emitFor(stakeholderRequest, { version: 1, document: incident })).toEqual([]);
  });

  it('is redelivered from the first notification that could not be published', async () => {
    const Records = ['a', 'b', 'c'].map((id, index) => {
      const image = { type: { S: 'notification' }, document: { S: JSON.stringify({ id, event: id }) } };
      return { dynamodb: { SequenceNumber: String(index), Keys: { pk: { S: id } }, NewImage: image } };
    });
    const published: string[] = [];
    const publishBut = (failing: string, error: Error) => async (subject: string) => {
      if (subject === failing) throw error;
      published.push(subject);
    };
    const retried = await emitEvents({ Records }, { ...quietTools, publish: publishBut('b', throttled) });
    expect(retried).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    const rejected = await emitEvents({ Records }, { ...quietTools, publish: publishBut('b', invalid) });
    expect(rejected).toEqual({ batchItemFailures: [] });
    expect(published).toEqual(['a', 'a', 'c']);
  });

  it('counts created incidents and breaches by priority', async () => {
    const breached = { ...incident, sla: { ...sla, marks: { P3: { warned_at: 1, breached_at: 1 } } } };
    const Records = [
      entry('incident', 'INC1', null, { version: 1, document: incident }),
      entry('incident', 'INC2', { version: 1, document: incident }, { version: 2, document: breached }),
    ];
    const lines = await captureLines(() => emitEvents({ Records }, quietTools));
    expect(lines).toEqual([
      expect.objectContaining({ IncidentsCreated: 1, priority: 'P3' }),
      expect.objectContaining({ SlaBreaches: 1, priority: 'P3' }),
    ]);
  });

  it('publishes nothing that could not be stored', async () => {
    let hasDelivered = false;
    const failing = emitEvents(
      { Records: [entry('incident', 'INC1', null, { version: 1, document: incident })] },
      {
        ...quietTools,
        events: { append: () => Promise.reject(timeout) },
        deliver: async () => {
          hasDelivered = true;
        },
      },
    );
    await expect(failing).rejects.toThrow(timeout);
    expect(hasDelivered).toBe(false);
  });
});
