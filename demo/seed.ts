import { randomUUID } from 'node:crypto';
import type { Role } from '../contract/roles.ts';
import type { Seed, SeedTools } from '../local/seed.ts';
import { type ApprovalStep, buildApprovalSteps } from './approvals.ts';
import { buildDemoArticles, type DemoArticle } from './articles.ts';
import { buildDemoCis, type DemoCi } from './configuration-items.ts';
import { buildIncidentSteps, demoDays, type IncidentStep } from './incidents.ts';
import { buildDemoPolicies, buildDemoSchedules, demoPaging } from './on-call.ts';
import { groups } from './organization.ts';
import { type DemoProblem, type DemoStep, demoProblems, listChanges, listProblemReports } from './problems.ts';
import { buildDemoLevels, demoCalendar } from './service-levels.ts';
import { ensureDemoUsers } from './users.ts';
import { buildInboundCalls, buildOutboundWebhook, inboundWebhook, webhookAgeMs } from './webhooks.ts';

// Seeds demo data by invoking the service's own functions, each with the clock set to the time of its step. So demo
// records have history, SLAs and notes like all others. It bypasses the gateway because its tokens expire after an hour.

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

const articleIntervalMs = 15 * 60_000;

/** Keeps two cores busy; a higher limit would shuffle the event feed. */
const maxConcurrency = 8;

/** A bundle of this code names the folder of the articles. */
export function seedDemoData(stackName: string, nowMs: number, articleFolder: string): Seed {
  return {
    async apply(tools) {
      console.log('Creating demo data for the last 90 days (npm start -- --empty skips this) …');
      await new Seeder(stackName, tools, buildDemoArticles(articleFolder)).seed(nowMs);
    },
  };
}

interface ServiceCall {
  /** Function name without the stack name. */
  name: string;
  method: 'POST' | 'PATCH' | 'PUT';
  /** Relative to the API root. */
  path: string;
  id?: string;
  /** Path parameters, if not only the id. */
  parameters?: Readonly<Record<string, string>>;
  actor: string;
  role: Role;
  /** A string is sent as it is. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** 2xx by default. */
  status?: number;
  atMs: number;
}

const manager = { actor: 'manager@example.com', role: 'itsm_manager' } as const;

class Seeder {
  private readonly queue = new KeyedQueue(maxConcurrency);
  private readonly cis = new Map<string, Promise<string>>();
  private readonly ids = new Map<string, string>();
  /** The latest change of each configuration item that is not yet linked to an incident. */
  private readonly unlinkedChanges = new Map<unknown, string>();
  private readonly stackName: string;
  private readonly tools: SeedTools;
  private readonly articles: readonly DemoArticle[];

  constructor(stackName: string, tools: SeedTools, articles: readonly DemoArticle[]) {
    this.stackName = stackName;
    this.tools = tools;
    this.articles = articles;
  }

  async seed(nowMs: number): Promise<void> {
    const startMs = nowMs - (demoDays + 1) * dayMs;
    await this.createArticles(startMs);
    await this.followGroups(startMs);
    await this.shareViews(startMs);
    await this.createServiceLevels(startMs);
    for (const ci of buildDemoCis()) {
      await this.queue.add(ci.name, () => {
        const created = this.createCi(ci, startMs);
        this.cis.set(ci.name, created);
        return created;
      });
    }
    await this.queue.drain();
    const steps = [...buildIncidentSteps(nowMs), ...buildApprovalSteps(nowMs, demoDays)];
    for (const step of steps.sort((a, b) => a.atMs - b.atMs)) {
      if ('incident' in step) await this.queue.add(`incident ${step.incident}`, () => this.applyIncidentStep(step));
      else await this.queue.add(step.record, () => this.applyApprovalStep(step));
    }
    let policies: readonly string[] = [];
    await this.queue.add('on-call', async () => {
      policies = await this.createOnCall(startMs);
    });
    await this.queue.add('outbound webhook', () => this.createOutboundWebhook(nowMs));
    await this.queue.add('inbound webhook', () => this.createInboundWebhook(nowMs));
    await this.queue.drain();
    await this.pageOpenIncident(steps, policies[0], nowMs);
    for (const problem of demoProblems) await this.createProblem(problem, steps, nowMs);
  }

  /** An hour after its third incident, somebody names the cause. Its last two incidents are linked to each other. */
  private async createProblem(problem: DemoProblem, steps: readonly DemoStep[], nowMs: number): Promise<void> {
    const { group, ci, change, states, note, file, fields } = problem;
    const reports = listProblemReports(problem, steps);
    const ids = reports.flatMap(({ incident }) => this.ids.get(`incident ${incident}`) ?? []);
    const change_ids = listChanges(change, steps).flatMap(({ record }) => this.ids.get(record) ?? []);
    const [actor] = groups[group];
    const startMs = Math.min((reports[2] ?? reports[0])?.atMs ?? nowMs, nowMs - (states.length + 1) * dayMs);
    const caller = { actor, role: 'itsm_agent' } as const;
    const post = { method: 'POST', ...caller, atMs: nowMs - hourMs } as const;
    const patch = (name: string, path: string, id: string, body: object, atMs: number) =>
      this.call({ name, method: 'PATCH', path: `${path}/${id}`, id, ...caller, body, atMs });
    const known = {
      assignment_group: group,
      assigned_to: actor,
      change_ids,
      ...(ci && { ci_id: await this.ciId(ci) }),
    };
    const creation = { ...post, path: '/problems', body: { ...fields, ...known }, atMs: startMs + hourMs };
    const id = await this.call({ name: 'create-problem', ...creation });
    for (const incident of ids)
      await patch('update-incident', '/incidents', incident, { parent_problem_id: id }, startMs + 2 * hourMs);
    for (const [day, state] of states.entries())
      await patch('update-problem', '/problems', id, { state }, startMs + (day + 1) * dayMs);
    const body = { body: note, attachment_ids: file ? [await this.uploadFile(id, file, post)] : [] };
    await this.call({ name: 'create-problem-note', path: `/problems/${id}/notes`, id, ...post, body });
    const [original, duplicate] = ids.slice(-2);
    if (original === undefined || duplicate === undefined) return;
    const link = { name: 'create-incident-link', path: `/incidents/${duplicate}/links`, id: duplicate, ...post };
    await this.send({ ...link, body: { type: change ? 'related_to' : 'duplicate_of', record_id: original } });
    for (const record_id of change_ids) await this.send({ ...link, body: { type: 'related_to', record_id } });
  }

  /** Returns the id of the file. */
  private async uploadFile(
    record_id: string,
    { filename, text }: NonNullable<DemoProblem['file']>,
    post: Pick<ServiceCall, 'method' | 'actor' | 'role' | 'atMs'>,
  ): Promise<string> {
    const [Body, ContentType] = [Buffer.from(text), 'text/plain'];
    const body = { record_id, filename, content_type: ContentType, size_bytes: Body.byteLength };
    const { id, upload } = await this.send({ name: 'create-attachment', path: '/attachments', ...post, body });
    // The public server does not accept uploads yet.
    const [, Bucket, ...key] = new URL(upload.url).pathname.split('/');
    await this.tools.callAws('s3', 'PutObject', { Bucket, Key: key.join('/'), Body, ContentType });
    return this.call({ name: 'complete-attachment', path: `/attachments/${id}/complete`, id, ...post, body: {} });
  }

  private async shareViews(atMs: number): Promise<void> {
    const open = 'state=new,in_progress,on_hold,reopened';
    const toView = (name: string, query: string) => ({ list: 'incidents', name, query: `${open}&${query}` });
    const views = [toView('Urgent', 'priority=P1,P2'), toView('Network', 'assignment_group=network')];
    await this.send({
      name: 'update-shared-views',
      method: 'PATCH',
      path: '/views',
      ...manager,
      body: { views },
      atMs,
    });
  }

  private async createServiceLevels(atMs: number): Promise<void> {
    const create = (name: string, path: string, body: object) =>
      this.call({ name, method: 'POST', path, ...manager, body, atMs });
    const calendar = await create('create-sla-calendar', '/calendars', demoCalendar);
    for (const body of buildDemoLevels(calendar)) await create('create-sla-policy', '/sla-policies', body);
  }

  /** Only people in the directory can be on call. They get their passwords when the server is ready. */
  private async createOnCall(atMs: number): Promise<readonly string[]> {
    const { callAws, outputs } = this.tools;
    await ensureDemoUsers({ callAws, userPoolId: outputs.UserPoolId ?? '' });
    const create = async (name: string, path: string, body: object) =>
      this.call({ name, method: 'POST', path, ...manager, body, atMs });
    const schedules: string[] = [];
    for (const body of buildDemoSchedules(new Date(atMs).toISOString().slice(0, 10)))
      schedules.push(await create('create-schedule', '/schedules', body));
    const policies: string[] = [];
    for (const body of buildDemoPolicies(schedules))
      policies.push(await create('create-escalation-policy', '/escalation-policies', body));
    for (const [group, place] of Object.entries(demoPaging)) {
      const path = `/groups/${encodeURIComponent(group)}/paging`;
      const body = { escalation_policy_id: policies[place] };
      await this.send({
        name: 'put-group-paging',
        method: 'PUT',
        path,
        parameters: { name: group },
        ...manager,
        body,
        atMs,
      });
    }
    return policies;
  }

  /** Somebody has just asked the people on call for help with the most urgent open incident. */
  private async pageOpenIncident(steps: readonly DemoStep[], policy: string | undefined, atMs: number): Promise<void> {
    const incidents = steps.filter((step) => 'incident' in step);
    const isOver = ({ body }: IncidentStep) => ['resolved', 'closed', 'cancelled'].includes(String(body.state));
    const over = new Set(incidents.filter(isOver).map(({ incident }) => incident));
    const [open] = incidents
      .filter(({ action, incident }) => action === 'create' && !over.has(incident))
      .sort((a, b) => String(a.body.priority).localeCompare(String(b.body.priority)) || b.atMs - a.atMs);
    const id = open && this.ids.get(`incident ${open.incident}`);
    if (id === undefined) return;
    const body = { escalation_policy_id: policy, reason: 'Customers call, and I need a second pair of eyes' };
    const path = `/incidents/${id}/pages`;
    await this.call({ name: 'create-page', method: 'POST', path, id, ...manager, body, atMs });
  }

  private async createOutboundWebhook(nowMs: number): Promise<void> {
    const body = buildOutboundWebhook(`${this.tools.loopbackUrl}/_local/receiver`);
    const call = { name: 'create-outbound-webhook', method: 'POST', path: '/webhooks/outbound' } as const;
    await this.call({ ...call, ...manager, body, atMs: nowMs - webhookAgeMs });
  }

  private async createInboundWebhook(nowMs: number): Promise<void> {
    const creation = { name: 'create-inbound-webhook', method: 'POST', path: '/webhooks/inbound' } as const;
    const atMs = nowMs - webhookAgeMs;
    const { id, secret } = await this.send({ ...creation, ...manager, body: inboundWebhook, atMs });
    for (const { beforeMs, signature, ...event } of buildInboundCalls(secret)) {
      await this.send({
        ...{ name: 'receive-inbound-event', method: 'POST', path: `/webhooks/inbound/${id}`, id, ...manager },
        ...event,
        headers: signature === undefined ? {} : { 'x-service-signature': signature },
        atMs: nowMs - beforeMs,
      });
    }
  }

  private async createArticles(startMs: number): Promise<void> {
    for (const [index, { name, ...body }] of this.articles.entries()) {
      const call = { name: 'create-article', method: 'POST', path: '/knowledge/articles' } as const;
      const caller = { actor: 'manager@example.com', role: 'itsm_manager' } as const;
      await this.queue.add(name, () =>
        this.call({ ...call, ...caller, body, atMs: startMs + index * articleIntervalMs }),
      );
    }
  }

  /** Lets the people one can sign in as follow their groups. */
  private async followGroups(atMs: number): Promise<void> {
    for (const actor of ['agent@example.com', 'manager@example.com']) {
      const followed = Object.entries(groups).filter(([, people]) => (people as readonly string[]).includes(actor));
      const body = { groups: followed.map(([group]) => group) };
      const call = { name: 'update-notification-settings', method: 'PATCH', path: '/notifications/settings' } as const;
      await this.queue.add(actor, () => this.call({ ...call, actor, role: 'itsm_agent', body, atMs }));
    }
  }

  private async createCi({ relations = [], ...fields }: DemoCi, atMs: number): Promise<string> {
    const related = relations.map(async ({ type, to }) => ({ type, ci_id: await this.ciId(to) }));
    const body = { environment: 'production', ...fields, relations: await Promise.all(related) };
    const caller = { actor: 'manager@example.com', role: 'itsm_agent' } as const;
    return this.call({ name: 'create-ci', method: 'POST', path: '/cmdb/cis', ...caller, body, atMs });
  }

  /** Links a new incident to the last change of its configuration item. */
  private async applyIncidentStep({ action, incident, ci, actor, body: fields, atMs }: IncidentStep): Promise<void> {
    const ci_id = ci === undefined ? undefined : await this.ciId(ci);
    const change_id = action === 'create' ? this.unlinkedChanges.get(ci_id) : undefined;
    if (change_id !== undefined) this.unlinkedChanges.delete(ci_id);
    const body = { ...fields, ...(ci_id !== undefined && { ci_id }), ...(change_id !== undefined && { change_id }) };
    const caller = { actor, role: 'itsm_agent', body, atMs } as const;
    const key = `incident ${incident}`;
    const id = this.ids.get(key);
    if (id === undefined) {
      this.ids.set(key, await this.call({ name: 'create-incident', method: 'POST', path: '/incidents', ...caller }));
    } else if (action === 'update') {
      await this.call({ name: 'update-incident', method: 'PATCH', path: `/incidents/${id}`, id, ...caller });
    } else {
      await this.call({ name: 'create-work-note', method: 'POST', path: `/incidents/${id}/notes`, id, ...caller });
    }
  }

  private async applyApprovalStep({ record, action, cis, body: fields, ...caller }: ApprovalStep): Promise<void> {
    const [kind] = record.split(' ');
    const ci_ids = cis && (await Promise.all(cis.map((name) => this.ciId(name))));
    const body = { ...fields, ...(ci_ids && { ci_ids }) };
    const id = this.ids.get(record);
    const suffix = action === 'approve' || action === 'reject' ? `/${action}` : '';
    const created = await this.call({
      name: `${action}-${kind}`,
      method: action === 'update' ? 'PATCH' : 'POST',
      path: id === undefined ? `/${kind}s` : `/${kind}s/${id}${suffix}`,
      ...(id === undefined ? {} : { id }),
      ...caller,
      body,
    });
    this.ids.set(record, created);
    if (action === 'create') for (const ci of ci_ids ?? []) this.unlinkedChanges.set(ci, created);
  }

  private ciId(name: string): Promise<string> {
    const id = this.cis.get(name);
    if (!id) throw new Error(`The demo data has no configuration item ${name}`);
    return id;
  }

  /** Returns the id of the record. */
  private async call(call: ServiceCall): Promise<string> {
    return (await this.send(call)).id;
  }

  /** Returns the body of the response. Any other status aborts the start. */
  private async send(call: ServiceCall): Promise<{ id: string; secret: string; upload: { url: string } }> {
    const response = await this.tools.call(`${this.stackName}--${call.name}`, toGatewayEvent(call), call.atMs);
    const { statusCode = 500, body = '{}' } = response as { statusCode?: number; body?: string };
    if (call.status === undefined ? statusCode >= 300 : statusCode !== call.status) {
      throw new Error(`Could not create the demo data: ${call.name} returned ${JSON.stringify(response)}`);
    }
    return JSON.parse(body);
  }
}

/** The event that the gateway passes to a function. */
function toGatewayEvent({ method, path, id, parameters, actor, role, body, headers, atMs }: ServiceCall) {
  return {
    httpMethod: method,
    path: `/api/v1${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    pathParameters: parameters ?? (id === undefined ? null : { id }),
    multiValueQueryStringParameters: null,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      identity: { sourceIp: '127.0.0.1' },
      authorizer: {
        // One caller, so that the requests share one rate limit counter.
        caller_id: 'demo',
        email: actor,
        kind: 'user',
        roles: role,
        client_id: 'demo',
        token_expires_at: String(Math.ceil(atMs / 1_000) + 3_600),
      },
    },
  };
}

/** Runs tasks concurrently up to a limit. Tasks with the same key run in order. */
class KeyedQueue {
  private readonly maxConcurrency: number;
  private readonly running = new Set<Promise<unknown>>();
  private readonly latest = new Map<string, Promise<unknown>>();

  constructor(maxConcurrency: number) {
    this.maxConcurrency = maxConcurrency;
  }

  /** Resolves when there is room for the task. */
  async add(key: string, task: () => Promise<unknown>): Promise<void> {
    while (this.running.size >= this.maxConcurrency) await Promise.race(this.running);
    const run = (this.latest.get(key) ?? Promise.resolve()).then(task);
    this.latest.set(key, run);
    this.running.add(run);
    void run.then(
      () => this.running.delete(run),
      () => {},
    );
  }

  /** Resolves when all tasks are done; rejects with the first failure. */
  async drain(): Promise<void> {
    await Promise.all(this.running);
  }
}
