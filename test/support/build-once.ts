import { ensureLocalBuild } from '../../bin/local-build.ts';

/** Before all tests: functions, console and template, built only when a source has changed. */
export default async function buildOnce(): Promise<void> {
  await ensureLocalBuild();
}
