import { readFileSync } from 'node:fs';
import { prod } from './stack.ts';
import { describeStateful, listDangers, listExports, type StatefulResources } from './stateful-resources.ts';

const {
  release,
  resources: recorded,
  exports,
}: { release: string; resources: StatefulResources; exports: string[] } = JSON.parse(
  readFileSync(new URL('stateful-resources.json', import.meta.url), 'utf8'),
);
const current = describeStateful(prod);
const [tableId = '', table] = Object.entries(recorded).find(([id]) => /^Records[0-9A-F]{8}$/.test(id)) ?? [];
const without = (id: string) => Object.fromEntries(Object.entries(current).filter(([each]) => each !== id));

describe('stateful resources of the last release', () => {
  it('are not replaced, and each table changes at most one index; npm run stateful records a new release', () => {
    expect(listDangers(recorded, current)).toEqual([]);
  });

  it('are recorded with the version of the release', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(release).toBe(version);
  });

  it('contain tables with keys and indexes, users, keys, addresses and queues', () => {
    expect(table).toMatchObject({ type: 'AWS::DynamoDB::Table', indexes: { feed: { KeySchema: expect.anything() } } });
    const types = new Set(Object.values(recorded).map(({ type }) => type));
    for (const type of ['Cognito::UserPool', 'KMS::Key', 'CloudFront::Distribution', 'SQS::Queue', 'SNS::Topic']) {
      expect(types).toContain(`AWS::${type}`);
    }
  });

  it.each(['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool', 'AWS::KMS::Key'])(
    'cannot be renamed in code: %s',
    (type) => {
      const [id, resource] = Object.entries(recorded).find(([, each]) => each.type === type)!;
      const renamed = { ...without(id), [`${id}Renamed`]: resource };
      expect(listDangers(recorded, renamed)).toEqual([
        `${id} (${type}) would be deleted or replaced: its logical id is gone.`,
      ]);
    },
  );

  it('cannot move to another stack', () => {
    const moved = { ...current, [tableId]: { ...current[tableId]!, stack: 'incidents-prod-service' } };
    expect(listDangers(recorded, moved)).toEqual([expect.stringContaining('moved to incidents-prod-service')]);
  });

  it('are exported for one release longer than the service imports them (Stack.exportValue)', () => {
    expect(exports.filter((name) => !listExports(prod).includes(name))).toEqual([]);
  });

  it('keep their key schema, their key types and the names of their users', () => {
    const rekeyed = { ...table!, properties: { ...table!.properties, KeySchema: [] } };
    expect(listDangers(recorded, { ...recorded, [tableId]: rekeyed })).toHaveLength(1);
    const [poolId, pool] = Object.entries(recorded).find(([, { type }]) => type === 'AWS::Cognito::UserPool')!;
    const renamed = { ...pool, properties: { ...pool.properties, UsernameAttributes: ['phone_number'] } };
    expect(listDangers(recorded, { ...recorded, [poolId]: renamed })).toHaveLength(1);
  });

  it.each([
    ['one new index', { extra: {} }, 0],
    ['two new indexes', { extra: {}, more: {} }, 1],
    ['an index with other keys', { feed: {} }, 1],
  ])('accept %s or not', (_what, change, dangers) => {
    const changed = { ...table!, indexes: { ...table!.indexes, ...change } };
    expect(listDangers(recorded, { ...recorded, [tableId]: changed })).toHaveLength(dangers);
  });
});
