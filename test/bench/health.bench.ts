import type { Bench } from './bench-ground.ts';
import { createTokens } from './callers.ts';
import { load } from './load.ts';
import { printTable, row } from './report.ts';
import { measureUsagePerRequest, resetUsage } from './usage.ts';

const callers = 20;
const timing = { concurrency: 16, seconds: 5 };

/** Compares GET /health through the whole request pipeline with a bare read of the same store. */
export async function benchHealth({ service, bareUrl }: Bench): Promise<void> {
  const tokens = await createTokens(service, callers, 'viewer');
  const shot = (index: number) => ({
    url: `${service.baseUrl}/prod/api/v1/health`,
    headers: { authorization: `Bearer ${tokens[index % tokens.length]}` },
  });
  const bareShot = () => ({ url: `${bareUrl}/health` });
  await load(shot, { ...timing, seconds: 2 });
  await load(bareShot, { ...timing, seconds: 1 });
  await resetUsage(service);
  const full = await load(shot, timing);
  const usage = await measureUsagePerRequest(service, full.requests);
  const bare = await load(bareShot, timing);
  printTable('GET /health, 16 at once', [row('bare Node + libsql', bare, bare), row('the service', full, bare)]);
  console.log(usage);
}
