import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../../../local/clock/clock.ts';
import { AsyncInvocations } from '../../../../local/lambda/async-invocations.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import { aFunction, aStage, type LogEntry, recordingLog, type Stage } from './function-fixture.ts';

const failing = `exports.handler = async (event, context) => { console.log(context.awsRequestId); throw new Error('no'); }`;
const calls = (logged: readonly LogEntry[]) => logged.filter(({ level }) => level === 'info');

describe('asynchronous invocations', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  it('retry after one minute and two more with the same request id, then drop the event', async () => {
    stage = await aStage([aFunction('F', failing)]);
    await stage.functions.invokeEvent('shop-F', {});
    await stage.clock.waitUntilIdle();
    expect(calls(stage.logged)).toHaveLength(1);
    await stage.clock.advance(59_000);
    expect(calls(stage.logged)).toHaveLength(1);
    await stage.clock.advance(2_000);
    expect(calls(stage.logged)).toHaveLength(2);
    await stage.clock.advance(121_000);
    expect(new Set(calls(stage.logged).map(({ message }) => message)).size).toBe(1);
    expect(calls(stage.logged)).toHaveLength(3);
    expect(stage.logged.at(-1)).toMatchObject({
      level: 'error',
      message: 'Dropped an asynchronous event',
      attempts: 3,
    });
    await stage.clock.advance(86_400_000);
    expect(calls(stage.logged)).toHaveLength(3);
  });

  it('reject an unknown function immediately', async () => {
    stage = await aStage([]);
    await expect(stage.functions.invokeEvent('shop-F', {})).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    });
  });

  it('survive a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lambda-events-'));
    const storage = new Storage(folder);
    const clock = new Clock();
    const invoke = () => new Promise<never>(() => {});
    const before = new AsyncInvocations({ clock, storage, log: recordingLog([]), invoke });
    before.start();
    await before.accept('shop-F', '"kept"');
    storage.close();
    stage = await aStage([aFunction('F', 'exports.handler = async (event) => console.log(event)')], { folder });
    await stage.clock.advance(1);
    expect(stage.logged).toMatchObject([{ message: 'kept' }]);
    expect(stage.storage.prepare('SELECT id FROM lambda_events').all()).toEqual([]);
  });
});
