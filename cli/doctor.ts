import { type ServiceClient, ServiceProblem } from '../client/index.ts';
import type { Command } from './command.ts';

interface Check {
  check: string;
  ok: boolean;
  result: string;
}

/** Webhook signatures tolerate five minutes. A warning at one minute leaves time to fix the clock. */
const maxClockSkewSeconds = 60;
/** A change is in the index after about two seconds. */
const maxLagSeconds = 30;
const latencyCalls = 5;
const shiftedClock =
  'The clocks of this machine and of the service differ. Receivers reject timestamps that differ by more than 5 minutes. ' +
  'The clock of a service on one machine may have been moved: POST {"reset": true} to /_local/clock brings it back.';

export const doctorCommands: Command[] = [
  {
    name: 'doctor',
    summary: 'Check clock, token, permissions, lag of lists and latency',
    async run({ output, connect, fail }) {
      const checks = await runChecks(await connect());
      if (checks.some(({ check, ok }) => check === 'clock' && !ok)) output.note(shiftedClock);
      output.table(
        checks.map(({ ok, ...rest }) => ({ ...rest, status: ok ? 'ok' : 'problem' })),
        ['check', 'status', 'result'],
      );
      if (checks.some(({ ok }) => !ok)) fail();
    },
  },
];

async function runChecks(client: ServiceClient): Promise<Check[]> {
  const connection = await check('token', async () => {
    const { version, service_instance } = await client.getHealth();
    return [true, `accepted by ${service_instance} ${version}`];
  });
  if (!connection.ok) return [connection];
  return [
    connection,
    await check('clock', async () => {
      const { time } = await client.getHealth();
      const skew = Math.round((Date.parse(time) - Date.now()) / 1000);
      return [Math.abs(skew) <= maxClockSkewSeconds, `${skew} s from the service`];
    }),
    await check('permissions', async () => {
      const { email, roles } = await client.getMe();
      return [roles.length > 0, `${email}: ${roles.join(', ') || 'no role, so most requests are forbidden'}`];
    }),
    await check('search', async () => {
      const { search } = await client.getHealth({ search: true });
      if (!search) return [true, 'not reported'];
      const { engine, lag_seconds: lag, problem } = search;
      if (engine === 'memory') return [true, 'in memory, up to date'];
      if (problem !== undefined || lag === null) return [false, `OpenSearch cannot be used. ${problem ?? ''}`.trim()];
      const isCurrent = lag <= maxLagSeconds;
      return [isCurrent, isCurrent ? 'OpenSearch, up to date' : `OpenSearch lacks changes that are ${lag} s old`];
    }),
    await check('latency', async () => {
      const times: number[] = [];
      for (let call = 0; call < latencyCalls; call++) {
        const start = performance.now();
        await client.getHealth();
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      return [true, `${Math.round(times[Math.floor(latencyCalls / 2)] ?? 0)} ms (median of ${latencyCalls})`];
    }),
    await check('rate limit', async () => {
      const { rateLimit } = await client.getMe.withResponse();
      return [
        rateLimit !== undefined,
        rateLimit ? `${rateLimit.remaining} of ${rateLimit.limit} left` : 'not reported',
      ];
    }),
  ];
}

async function check(name: string, run: () => Promise<[boolean, string]>): Promise<Check> {
  try {
    const [ok, result] = await run();
    return { check: name, ok, result };
  } catch (error) {
    if (error instanceof ServiceProblem) return { check: name, ok: false, result: error.message };
    throw error;
  }
}
