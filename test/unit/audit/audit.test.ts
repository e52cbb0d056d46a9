import type { AuditEntry, AuditType } from '../../../contract/audit.ts';
import { createAuditEntry, toAuditLog, toAuditWrite } from '../../../lambdas/audit/audit-log.ts';
import { recordDirectoryChange, recordSignIns, type SignInEvent } from '../../../lambdas/audit/directory-audit.ts';
import type { ItemStore } from '../../../lambdas/records/item-store.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import { readLogPage } from '../../../lambdas/records/log-page.ts';
import { createHmacCursorSeal } from '../../../lambdas/records/page.ts';

/** An in-memory table. The only supported update marks an attempt as completed. */
function aStore() {
  const items = new Map<string, Item>();
  const toName = (item: Item) => `${item.pk!.S} ${item.sk!.S}`;
  const store: Pick<ItemStore, 'transact' | 'range'> = {
    async transact(writes) {
      const taken = writes.some((write) => 'update' in write && items.get(toName(write.update.Key!))?.completed);
      if (taken) return { kind: 'condition_failed', failedWrite: 'attempt' };
      for (const write of writes) {
        if ('put' in write) items.set(toName(write.put.Item!), write.put.Item!);
        else items.get(toName(write.update.Key!))!.completed = { BOOL: true };
      }
      return { kind: 'written' };
    },
    range: async ({ pk }, limit) =>
      [...items.values()]
        .filter((item) => item.pk!.S === pk && !item.completed)
        .sort((a, b) => (a.sk!.S! < b.sk!.S! ? 1 : -1))
        .slice(0, limit),
  };
  const entries = (): AuditEntry[] =>
    [...items.values()].filter(({ pk }) => pk!.S!.startsWith('audit#')).map(({ entry }) => JSON.parse(entry!.S!));
  return { store, entries, types: () => entries().map(({ type }) => type) };
}

let nowMs = Date.parse('2026-03-01T09:00:00Z');
const clock = { now: () => nowMs++ };

const signIn = (when: 'Pre' | 'Post', fields: object = {}): SignInEvent =>
  ({
    triggerSource: `${when}Authentication_Authentication`,
    userName: 'sub-1',
    callerContext: { clientId: 'console' },
    request: { userAttributes: { sub: 'sub-1', email: 'ada@example.com' } },
    response: {},
    ...fields,
  }) as unknown as SignInEvent;

describe('recordSignIns', () => {
  it('records completed attempts as successes, even if they overlap', async () => {
    const { store, types } = aStore();
    const tools = { store, clock, log: () => {} };
    for (const when of ['Pre', 'Pre', 'Pre', 'Post', 'Post'] as const) await recordSignIns(signIn(when), tools);
    expect(types().sort()).toEqual(['sign_in.failed', 'sign_in.succeeded', 'sign_in.succeeded']);
  });

  it('records a success without a known attempt', async () => {
    const { store, types } = aStore();
    await recordSignIns(signIn('Post'), { store, clock, log: () => {} });
    expect(types()).toEqual(['sign_in.succeeded']);
  });

  it('does not prevent sign-ins when recording fails', async () => {
    const logged: string[] = [];
    const failing = async () => Promise.reject(new Error('no storage'));
    const tools = {
      store: { transact: failing, range: failing },
      clock,
      log: (_: string, text: string) => logged.push(text),
    };
    const event = signIn('Pre');
    expect(await recordSignIns(event, tools)).toBe(event);
    expect(await recordSignIns(signIn('Post'), tools)).toBeDefined();
    expect(logged).toHaveLength(2);
  });

  it('does not record a user name that may be a password', async () => {
    const { store, entries } = aStore();
    const tools = { store, clock, log: () => {} };
    for (const userName of ['My-Passw0rd!', 'bob@example.com']) {
      await recordSignIns(signIn('Pre', { userName, request: { userAttributes: {}, userNotFound: true } }), tools);
    }
    expect(entries().map(({ actor }) => actor)).toEqual(['unknown', 'bob@example.com']);
  });
});

describe('recordDirectoryChange', () => {
  const aCall = (detail: object) =>
    ({
      detail: {
        eventID: 'event-1',
        eventName: 'AdminAddUserToGroup',
        eventTime: '2026-03-01T09:30:00Z',
        userIdentity: { arn: 'arn:aws:iam::123456789012:user/operations' },
        requestParameters: { groupName: 'super_admin', username: 'HIDDEN_DUE_TO_SECURITY_REASONS' },
        additionalEventData: { sub: 'sub-1' },
        ...detail,
      },
    }) as never;
  const keyRole = 'arn:aws:iam::123456789012:role/incidents-prod-CreateApiKeyRole-1';
  const apiKeyRoles = ['arn:aws:iam::123456789012:role/other', keyRole];
  const directory = { findEmailOfAnyUser: async (sub: string) => (sub === 'sub-1' ? 'ada@example.com' : undefined) };

  it('records the person, the actor and the group once per call', async () => {
    const { store, entries } = aStore();
    await recordDirectoryChange(aCall({}), { store, directory, apiKeyRoles });
    await recordDirectoryChange(aCall({}), { store, directory, apiKeyRoles });
    expect(entries()).toMatchObject([
      {
        at: '2026-03-01T09:30:00.000Z',
        type: 'group.member_added',
        actor: 'arn:aws:iam::123456789012:user/operations',
        target: 'ada@example.com',
        details: { group: 'super_admin', user_id: 'sub-1' },
      },
    ]);
  });

  const toSession = (role: string, session: string) => ({
    arn: `arn:aws:sts::123456789012:assumed-role/${role.slice(role.lastIndexOf('/') + 1)}/${session}`,
    sessionContext: { sessionIssuer: { type: 'Role', arn: role } },
  });

  it.each([
    ['a call that was rejected', { errorCode: 'AccessDenied' }],
    ['a call that changes no permissions', { eventName: 'AdminForgetDevice' }],
    [
      'a call of the functions that create and revoke API keys',
      { eventName: 'DeleteUserPoolClient', userIdentity: toSession(keyRole, 'incidents-prod--delete-api-key') },
    ],
  ])('omits %s', async (_what, detail) => {
    const { store, entries } = aStore();
    await recordDirectoryChange(aCall(detail), { store, directory, apiKeyRoles });
    expect(entries()).toEqual([]);
  });

  it.each([
    ['session', { userIdentity: toSession('arn:aws:iam::123456789012:role/admin', 'incidents-prod--create-api-key') }],
    ['client', { requestParameters: { clientName: 'api-key key_1', clientId: 'client-1' } }],
  ])('cannot be deceived by the name of a %s', async (_what, detail) => {
    const { store, types } = aStore();
    const made = { eventName: 'CreateUserPoolClient', additionalEventData: null, ...detail };
    await recordDirectoryChange(aCall(made), { store, directory, apiKeyRoles });
    expect(types()).toEqual(['client.created']);
  });

  it.each([
    ['AdminUpdateUserAttributes', 'user.updated', 'ada@example.com'],
    ['AdminSetUserMFAPreference', 'user.updated', 'ada@example.com'],
    ['AdminResetUserPassword', 'user.password_reset', 'ada@example.com'],
    ['DeleteGroup', 'group.deleted', 'super_admin'],
    ['UpdateGroup', 'group.updated', 'super_admin'],
  ])('records %s as %s', async (eventName, type, target) => {
    const { store, entries } = aStore();
    const ofGroup = eventName.endsWith('Group') ? { additionalEventData: null } : {};
    await recordDirectoryChange(aCall({ eventName, ...ofGroup }), { store, directory, apiKeyRoles });
    expect(entries()).toMatchObject([{ type, target }]);
    if (type === 'user.updated') expect(entries()[0]!.details).toMatchObject({ call: eventName });
  });

  it('falls back to the id of a deleted person', async () => {
    const { store, entries } = aStore();
    const gone = { eventName: 'AdminDeleteUser', additionalEventData: { sub: 'sub-2' } };
    await recordDirectoryChange(aCall(gone), { store, directory, apiKeyRoles });
    expect(entries()).toMatchObject([{ type: 'user.deleted', target: 'sub-2' }]);
  });
});

/** An in-memory audit log. The only supported filter is the expiry, which every query has. */
function anAuditLog(entries: readonly AuditEntry[]) {
  const items = entries.map((entry) => (toAuditWrite(entry) as { put: { Item: Item } }).put.Item);
  const looked: string[] = [];
  const store: Pick<ItemStore, 'slice'> = {
    async slice({ pk, filter, after }, limit) {
      looked.push(pk);
      const now = Number(filter!.values[':now']!.N);
      const found = items
        .filter((item) => item.pk!.S === pk && (after === undefined || item.sk!.S! < after))
        .sort((a, b) => (a.sk!.S! < b.sk!.S! ? 1 : -1));
      const examined = found.slice(0, limit);
      const passed = examined.filter((item) => Number(item.expires_at!.N) > now);
      const last = found.length > limit ? examined.at(-1)?.sk?.S : undefined;
      return { items: passed, count: passed.length, examined: examined.length, last };
    },
  };
  const seal = createHmacCursorSeal('key');
  const read = async (filter: Parameters<typeof toAuditLog>[0], limit: number, nowMs: number, cursor?: string) => {
    const { items: page, rest } = await readLogPage(store, seal, toAuditLog(filter, nowMs), { limit, cursor });
    return { days: page.map((item) => item.at!.S!.slice(0, 10)), ...rest };
  };
  return { read, looked };
}

const anEntry = (at: string, type: AuditType = 'record.deleted') =>
  createAuditEntry({ at: `${at}T12:00:00.000Z`, type, actor: 'ada@example.com', target: 'INC1' }, at);

describe('auditLog', () => {
  const queryMs = Date.parse('2026-03-31T12:00:00Z');
  const days = ['2026-03-30', '2026-02-10', '2026-02-09', '2025-12-31', '2025-04-02'];

  it('lists entries across months, newest first, without gaps between pages', async () => {
    const { read } = anAuditLog(days.map((day) => anEntry(day)));
    const walked: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < days.length; pages++) {
      const { days: page, next_cursor, ...rest } = await read({}, 1, queryMs, cursor);
      walked.push(...page);
      cursor = next_cursor;
      expect(rest).toEqual({ total: days.length, total_is_exact: true });
    }
    expect(walked).toEqual(days);
    expect(cursor).toBeUndefined();
  });

  it('retains entries for a year', async () => {
    const { read } = anAuditLog([anEntry('2025-04-01'), anEntry('2025-03-30')]);
    expect(await read({}, 9, queryMs)).toEqual({ days: ['2025-04-01'], total: 1, total_is_exact: true });
  });

  it('reads only the requested months', async () => {
    const { read, looked } = anAuditLog([]);
    await read({ created_after: '2026-01-15', created_before: '2026-03-01T00:00:00Z' }, 9, queryMs);
    expect(looked).toEqual(['audit#2026-03', 'audit#2026-02', 'audit#2026-01']);
    looked.length = 0;
    await read({ created_after: '2027-01-01' }, 9, queryMs);
    await read({ created_before: '2020-01-01' }, 9, queryMs);
    await read({ created_after: '2026-03-01', created_before: '2026-03-01' }, 9, queryMs);
    expect(looked).toEqual([]);
    await read({}, 9, queryMs);
    expect(looked).toHaveLength(13);
  });
});
