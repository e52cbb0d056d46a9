// Pages that start at once: from the creation of the incident to its first message.
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, getApi } from '../support/incidents.ts';
import { aPagingGroup, aPolicy, listPages, toPerson } from '../support/paging.ts';
import { createPerson } from '../support/people.ts';
import { startService } from '../support/service.ts';
import { createTokens } from './callers.ts';
import { load } from './load.ts';
import { printTable } from './report.ts';

const callers = 30;
const concurrency = 16;
/** The newest incidents, whose messages are the last ones. */
const samples = 20;
const pollMs = 1_000;
const maxPolls = 600;

export async function benchPages(count = 10_000): Promise<void> {
  const service = await startService();
  try {
    const manager = await getApi(service, 'manager');
    const person = 'bench.pages@example.com';
    await createPerson(service, person, 'itsm_agent');
    const group = await aPagingGroup(manager, await aPolicy(manager, [[toPerson(person)]]));
    const tokens = await createTokens(service, callers, 'itsm_agent');
    const startMs = Date.now();
    const body = JSON.stringify({ short_description: 'Everything is down', priority: 'P1', assignment_group: group });
    const { perSecond, statuses } = await load(
      (index) => ({
        url: `${service.baseUrl}/prod/api/v1/incidents`,
        method: 'POST',
        headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
        body,
      }),
      { requests: count, concurrency },
    );
    const created = statuses[201] ?? 0;
    const { body: list } = await manager.get(`/incidents?assignment_group=${group}&limit=${samples}`);
    const ids: string[] = list.data.map(({ id }: { id: string }) => id);
    const totalSeconds = ((await waitForMessages(manager, ids)) - startMs) / 1_000;
    const delaysMs = await Promise.all(
      ids.map(async (id) => {
        const [page] = await listPages(manager, id);
        return Date.parse(page.messages[0].at) - Date.parse(page.created_at);
      }),
    );
    delaysMs.sort((a, b) => a - b);
    printTable(`Pages: ${created} incidents that page, ${concurrency} created at once`, [
      {
        what: 'pages',
        'incidents per second': perSecond.toFixed(0),
        'messages per second': (created / totalSeconds).toFixed(0),
        'until the last message': `${totalSeconds.toFixed(1)} s`,
        'delay of the newest, median': `${((delaysMs[Math.floor(delaysMs.length / 2)] ?? 0) / 1_000).toFixed(2)} s`,
        'delay of the newest, longest': `${((delaysMs.at(-1) ?? 0) / 1_000).toFixed(2)} s`,
      },
    ]);
  } finally {
    await service.stop();
  }
}

/** Pages of the newest incidents are sent last; their logs show when the messages were sent. */
async function waitForMessages(manager: Api, ids: readonly string[]): Promise<number> {
  for (let poll = 0; poll < maxPolls; poll++) {
    const pages = await Promise.all(ids.map((id) => listPages(manager, id)));
    const times = pages.flatMap(([page]) => page?.messages.map(({ at }: { at: string }) => Date.parse(at)) ?? []);
    if (times.length >= ids.length) return Math.max(...times);
    await pause(pollMs);
  }
  throw new Error(`the last messages were not sent within ${(maxPolls * pollMs) / 1_000} s`);
}
