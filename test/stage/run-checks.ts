import { type Stage, toMessage } from './stage-under-test.ts';

export interface Check {
  name: string;
  /** Whether it calls the language model, to which an account may have no access yet. */
  needsModel?: boolean;
  /** Throws if the check fails; returns a text for the report. */
  run(stage: Stage): Promise<string | undefined>;
}

/** Runs the checks one after the other, then removes what they created. Returns the names of those that failed. */
export async function runChecks(
  stage: Stage,
  checks: readonly Check[],
  print: (line: string) => void,
): Promise<string[]> {
  const failed: string[] = [];
  const run = async (name: string, work: () => Promise<string | undefined>) => {
    const startedAt = performance.now();
    const took = () => `${Math.round(performance.now() - startedAt)} ms`;
    try {
      const remark = await work();
      print(`ok    ${name} (${took()})${remark ? `: ${remark}` : ''}`);
    } catch (error) {
      failed.push(name);
      print(`FAIL  ${name} (${took()}): ${toMessage(error)}`);
    }
  };
  for (const check of checks) await run(check.name, () => check.run(stage));
  if (stage.cleanups.length > 0) await run('removes what the checks created', () => cleanUp(stage));
  return failed;
}

async function cleanUp({ cleanups }: Stage): Promise<string> {
  const problems: string[] = [];
  let removed = 0;
  for (let work = cleanups.pop(); work; work = cleanups.pop()) {
    await work().then(
      () => removed++,
      (error: unknown) => problems.push(toMessage(error)),
    );
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
  return `${removed} records`;
}
