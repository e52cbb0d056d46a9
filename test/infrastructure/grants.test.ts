import { readFileSync } from 'node:fs';
import { listGrants } from '../../bin/grants.ts';
import type { Template } from '../../bin/template-checks.ts';
import { local, prod } from './stack.ts';

// What the tests on the local runtime used, by role (npm run grants). A call without a grant fails there as it would in AWS.
const used: Record<string, string[]> = JSON.parse(readFileSync(new URL('used-grants.json', import.meta.url), 'utf8'));

const writes = 'Records are written with one permission for PutItem and UpdateItem; this function uses one of them.';
const reads = 'The lists and the event log have one permission to read for all of their users.';
const recovery = 'Repairs what a crash or a failure in AWS left half-done.';

/** Grants that no test on the local runtime uses. */
const unused: readonly { role: RegExp; actions: RegExp; reason: string }[] = [
  { role: /^FunctionsSweepApiKeysRole$/, actions: /^(?!dynamodb:Query$)/, reason: recovery },
  { role: /^FunctionsRedriveDeliveriesRole$/, actions: /^(?!dynamodb:Query$)/, reason: recovery },
  {
    role: /^FunctionsCreateApiKeyRole$/,
    actions: /^(cognito-idp:(Delete|List)\w+|apigateway:DELETE)$/,
    reason: recovery,
  },
  { role: /^FunctionsDeleteApiKeyRole$/, actions: /^(cognito-idp:List\w+|dynamodb:Query)$/, reason: recovery },
  {
    role: /^Functions(DeleteApiKey|ReadAllNotifications|UpdateNotificationSettings)Role$/,
    actions: /^dynamodb:PutItem$/,
    reason: writes,
  },
  {
    role: /^Functions(RedriveJobs|RecordDirectoryChanges|BulkIncidents|BulkCis)Role$/,
    actions: /^dynamodb:UpdateItem$/,
    reason: writes,
  },
  { role: /^FunctionsRecordDirectoryChangesRole$/, actions: /^dynamodb:Query$/, reason: reads },
  { role: /^FunctionsGetIncidentStatisticsRole$/, actions: /^dynamodb:BatchGetItem$/, reason: reads },
  {
    role: /^Functions(WriteListSnapshots|PublishConsole)Role$/,
    actions: /^s3:DeleteObject$/,
    reason: 'Objects of the release or snapshot before the previous one are deleted; tests write two at most.',
  },
];

const grants = listGrants(local.toJSON() as Template);

describe('grants', () => {
  it('are all used, or have a reason', () => {
    const questionable = grants.filter(
      ({ role, action }) =>
        !used[role]?.includes(action) && !unused.some((each) => each.role.test(role) && each.actions.test(action)),
    );
    expect(questionable).toEqual([]);
  });

  it('have a reason only while they are unused', () => {
    for (const { role, actions } of unused) {
      const excused = grants.filter((grant) => role.test(grant.role) && actions.test(grant.action));
      expect(excused.length).toBeGreaterThan(0);
      expect(excused.filter((grant) => used[grant.role]?.includes(grant.action))).toEqual([]);
    }
  });

  it('exist for every recorded call', () => {
    const granted = new Set(grants.map(({ role, action }) => `${role} ${action}`));
    const calls = Object.entries(used).flatMap(([role, actions]) => actions.map((action) => `${role} ${action}`));
    expect(calls.filter((call) => !granted.has(call))).toEqual([]);
  });

  it('are the same in production', () => {
    const toText = ({ role, action }: { role: string; action: string }) => `${role} ${action}`;
    expect(
      listGrants(prod.toJSON() as Template)
        .map(toText)
        .sort(),
    ).toEqual(grants.map(toText).sort());
  });
});
