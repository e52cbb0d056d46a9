import type { Past, PastTools } from '../../local/past.ts';
import { type ApprovalStep, tellApprovals } from './approval-story.ts';
import { AtOnce } from './at-once.ts';
import { makeKnowledge } from './demo-articles.ts';
import { callService } from './demo-call.ts';
import { known, makeCis } from './demo-cis.ts';
import { approvalPlayer } from './play-approvals.ts';
import { demoDays, type Step, tellStory } from './story.ts';

// Plays the story with the service's own operations, each at the time of its step, some of them at once. So demo incidents
// have histories, service levels and notes like all others.

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

/** Enough to keep two processors busy; more would only take the order out of the feed of events. */
const mostAtOnce = 8;

export function demoPast(stackName: string, nowMs: number): Past {
  return {
    async make(tools) {
      console.log('Creating demo data for the last 90 days (npm start -- --empty skips this) …');
      const startMs = nowMs - (demoDays + 1) * day;
      const atOnce = new AtOnce(mostAtOnce);
      await makeKnowledge(startMs, stackName, tools, atOnce);
      const cis = await makeCis(startMs, stackName, tools, atOnce);
      const incidents = new DemoIncidents(stackName, tools);
      const playApproval = approvalPlayer(stackName, tools);
      for (const step of inOrder(tellStory(nowMs), tellApprovals(nowMs, demoDays))) {
        if ('incident' in step) {
          await atOnce.begin(`incident ${step.incident}`, () => incidents.play(withCi(step, cis)));
        } else {
          const named = withCis(step, cis);
          await atOnce.begin(step.record, async () => incidents.changed(named, await playApproval(named)));
        }
      }
      await atOnce.done();
    },
  };
}

/** Ids of configuration items are random, so the story knows them by name. */
function withCi(step: Step, cis: ReadonlyMap<string, string>): Step {
  return step.ci === undefined ? step : { ...step, body: { ...step.body, ci_id: known(cis, step.ci) } };
}

function withCis(step: ApprovalStep, cis: ReadonlyMap<string, string>): ApprovalStep {
  return step.cis === undefined
    ? step
    : { ...step, body: { ...step.body, ci_ids: step.cis.map((name) => known(cis, name)) } };
}

function inOrder(incidents: readonly Step[], approvals: readonly ApprovalStep[]): (Step | ApprovalStep)[] {
  return [...incidents, ...approvals].sort((a, b) => a.atMs - b.atMs);
}

class DemoIncidents {
  private readonly ids = new Map<number, string>();
  /** The latest change of each configuration item that no incident was put down to yet. */
  private readonly changes = new Map<unknown, string>();
  private readonly stackName: string;
  private readonly tools: PastTools;

  constructor(stackName: string, tools: PastTools) {
    this.stackName = stackName;
    this.tools = tools;
  }

  /** An incident on an item that was changed before is put down to that change. */
  async play({ action, incident, actor, body, atMs }: Step): Promise<void> {
    const change_id = action === 'create' ? this.changes.get(body.ci_id) : undefined;
    if (change_id !== undefined) this.changes.delete(body.ci_id);
    const what = { actor, body: { ...body, ...(change_id !== undefined && { change_id }) }, atMs };
    const id = await this.send(action, this.ids.get(incident), what);
    if (action === 'create') this.ids.set(incident, id);
  }

  changed({ action, body }: ApprovalStep, changeId: string): void {
    const items = action === 'create' && Array.isArray(body.ci_ids) ? body.ci_ids : [];
    for (const item of items) this.changes.set(item, changeId);
  }

  private async send(
    action: Step['action'],
    id: string | undefined,
    what: Pick<Step, 'actor' | 'body' | 'atMs'>,
  ): Promise<string> {
    const { path, ...operation } = operations[action];
    const target = id === undefined ? {} : { id };
    const call = { ...operation, path: path(id ?? ''), ...target, ...what, role: 'itsm_agent' } as const;
    return (await callService(call, this.stackName, this.tools)).id;
  }
}
