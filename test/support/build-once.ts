import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { ensureTemplates } from '../infrastructure/templates.ts';
import { startedData } from './started-data.ts';

interface GlobalConfig {
  testPathPatterns?: { patterns?: readonly string[] };
}

/** Before all tests: templates, functions, console and a data folder, unless only tests were asked for that need none of them. */
export default async function buildOnce({ testPathPatterns }: GlobalConfig): Promise<void> {
  const patterns = testPathPatterns?.patterns ?? [];
  const areAll = (tests: RegExp) => patterns.length > 0 && patterns.every((pattern) => tests.test(pattern));
  const building = areAll(/test\/(unit|infrastructure)/) ? undefined : ensureLocalBuild();
  // The build is another process, which runs meanwhile.
  if (!areAll(/test\/(unit|browser|handlers|journeys)/)) ensureTemplates();
  await building;
  if (building) process.env.STARTED_DATA = await startedData();
}
