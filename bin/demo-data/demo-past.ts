import type { Past, PastTools } from '../../local/past.ts';
import { makeKnowledge } from './demo-articles.ts';
import { callService } from './demo-call.ts';
import { known, makeCis } from './demo-cis.ts';
import { demoDays, type Step, tellStory } from './story.ts';

// Plays the story with the service's own operations, each at the time of its step. So demo incidents have histories,
// service levels and notes like all others.

const day = 24 * 60 * 60_000;

const operations: Readonly<Record<Step['action'], Operation>> = {
  create: { name: 'create-incident', method: 'POST', path: () => '/incidents' },
  update: { name: 'update-incident', method: 'PATCH', path: (id) => `/incidents/${id}` },
  note: { name: 'create-work-note', method: 'POST', path: (id) => `/incidents/${id}/notes` },
};

interface Operation {
  name: string;
  method: 'POST' | 'PATCH';
  path(id: string): string;
}

export function demoPast(stackName: string, nowMs: number): Past {
  return {
    fromMs: nowMs - (demoDays + 1) * day,
    async make(tools) {
      console.log('Making demo data of the last 90 days, once (npm start -- --empty leaves it out) …');
      await makeKnowledge(stackName, tools);
      const cis = await makeCis(stackName, tools);
      const ids = new Map<number, string>();
      for (const step of tellStory(nowMs)) {
        tools.clock.skipTo(step.atMs);
        const id = await play(withCi(step, cis), ids.get(step.incident), stackName, tools);
        if (step.action === 'create') ids.set(step.incident, id);
      }
    },
  };
}

/** Ids of configuration items are random, so the story knows them by name. */
function withCi(step: Step, cis: ReadonlyMap<string, string>): Step {
  return step.ci === undefined ? step : { ...step, body: { ...step.body, ci_id: known(cis, step.ci) } };
}

async function play(step: Step, id: string | undefined, stackName: string, tools: PastTools): Promise<string> {
  const { path, ...operation } = operations[step.action];
  const { actor, body } = step;
  const target = id === undefined ? {} : { id };
  const call = { ...operation, path: path(id ?? ''), ...target, actor, role: 'itsm_agent', body } as const;
  return (await callService(call, stackName, tools)).id;
}
