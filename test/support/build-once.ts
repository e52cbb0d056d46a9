import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { startedData } from './started-data.ts';

interface GlobalConfig {
  testPathPatterns?: { patterns?: readonly string[] };
}

/** Before all tests: functions, console, template and a data folder, unless only tests were asked for that need none of them. */
export default async function buildOnce({ testPathPatterns }: GlobalConfig): Promise<void> {
  const patterns = testPathPatterns?.patterns ?? [];
  const rulesOnly = patterns.length > 0 && patterns.every((pattern) => /test\/(unit|infrastructure)/.test(pattern));
  if (rulesOnly) return;
  await ensureLocalBuild();
  process.env.STARTED_DATA = await startedData();
}
