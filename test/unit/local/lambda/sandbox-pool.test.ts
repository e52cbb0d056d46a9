import type { FunctionDefinition } from '../../../../local/lambda/function-definition.ts';
import type { Call } from '../../../../local/lambda/invocation.ts';
import type { Sandbox } from '../../../../local/lambda/sandbox.ts';
import { SandboxPool } from '../../../../local/lambda/sandbox-pool.ts';
import type { WorkerGroup } from '../../../../local/lambda/worker-groups.ts';

const callOf = (name: string) => ({ definition: { name } as FunctionDefinition }) as Call;

/** A pool whose workers only note what is done with them. */
function aPool(idleMs: Record<string, number>) {
  const ended: string[] = [];
  const sandboxes: { load: number }[] = [];
  const pool = new SandboxPool({
    maxWarm: 24,
    groupOf: ({ name }) => ({ name, idleMs: idleMs[name]!, places: 1, maxWorkers: 1 }) as WorkerGroup,
    start: (group, owner) => {
      const sandbox = {
        group,
        load: 0,
        lastUse: 0,
        lastUseMs: 0,
        take() {},
        async end() {
          ended.push(group.name);
          owner.leave(sandbox as unknown as Sandbox);
        },
      };
      sandboxes.push(sandbox);
      return sandbox as unknown as Sandbox;
    },
  });
  return { pool, ended, sandboxes };
}

describe('workers with nothing to do', () => {
  it('are ended after the time of their function, those at work are not', async () => {
    const { pool, ended, sandboxes } = aPool({ quick: 1_000, slow: 60_000, busy: 1_000 });
    for (const name of ['quick', 'slow', 'busy']) pool.hand(callOf(name));
    sandboxes[2]!.load = 1;
    pool.endIdle(performance.now() + 500);
    expect(ended).toEqual([]);
    pool.endIdle(performance.now() + 5_000);
    expect([ended, pool.warmCount]).toEqual([['quick'], 2]);
    pool.endIdle(performance.now() + 90_000);
    expect(ended).toEqual(['quick', 'slow']);
    await pool.stop();
  });
});
