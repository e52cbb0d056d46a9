import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Command, UsageError } from './command.ts';
import { convertSchedules, type ForeignSchedules, type ImportedPolicy } from './foreign-schedules.ts';

export const onCallCommands: Command[] = [
  {
    name: 'oncall',
    summary: 'Show who is on call in each schedule',
    options: { at: { type: 'string', value: 'time', description: 'At this time instead of now.' } },
    async run({ options, output, connect }) {
      const at = typeof options.at === 'string' ? { at: options.at } : {};
      const { data } = await (await connect()).getOnCall(at);
      output.table(data, ['schedule_name', 'person', 'until', 'next_person']);
    },
  },
  {
    name: 'schedule import',
    args: '<file>',
    minArgs: 1,
    summary: 'Create schedules and escalation policies from a JSON export of Opsgenie or PagerDuty',
    options: { 'dry-run': { type: 'boolean', description: 'Show the result and create nothing.' } },
    async run({ args: [file = ''], options, output, connect }) {
      const converted = convertSchedules(parseFile(file));
      if (converted.schedules.length + converted.policies.length === 0)
        throw new UsageError(`${file} has no schedules and no escalation policies.`);
      const created = options['dry-run'] === true ? [] : await createAll(converted, await connect());
      const { schedules, policies, notes } = converted;
      const done = created.length > 0 ? 'Created' : 'Would create';
      const lines = [
        `${done} ${schedules.length} schedules and ${policies.length} escalation policies.`,
        ...created.map(({ id, name }) => `  ${id}  ${name}`),
        ...(notes.length > 0
          ? [`${notes.length} parts have no exact counterpart:`, ...notes.map((note) => `  ${note}`)]
          : []),
      ];
      output.result(lines.join('\n'), { created, ...(created.length === 0 && { schedules, policies }), notes });
    },
  },
];

function parseFile(file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

type Client = Awaited<ReturnType<Parameters<Command['run']>[0]['connect']>>;

/** A second import of the same file within a day creates nothing twice. */
async function createAll({ schedules, policies, notes }: ForeignSchedules, client: Client) {
  const created: { id: string; name: string }[] = [];
  const ids = new Map<string, string>();
  for (const { keys, body } of schedules) {
    const { id, name } = await client.createSchedule(body, { idempotencyKey: toKey(body) });
    for (const key of keys) ids.set(key, id);
    created.push({ id, name });
  }
  for (const policy of policies) {
    const steps = linkSchedules(policy, ids, notes);
    if (steps.length === 0) continue;
    const body = { ...policy, steps };
    const { id, name } = await client.createEscalationPolicy(body, { idempotencyKey: toKey(body) });
    created.push({ id, name });
  }
  return created;
}

function linkSchedules({ name, steps }: ImportedPolicy, ids: ReadonlyMap<string, string>, notes: string[]) {
  const linked = steps.map(({ targets, wait_minutes }) => ({
    wait_minutes,
    targets: targets.flatMap((target) => {
      if (target.type !== 'schedule') return [target];
      const id = ids.get(target.id);
      if (id === undefined) notes.push(`${name}: the schedule ${target.id} is not in the file and is left out.`);
      return id === undefined ? [] : [{ ...target, id }];
    }),
  }));
  return linked.filter(({ targets }) => targets.length > 0);
}

function toKey(body: object): string {
  return `schedule-import-${createHash('sha256').update(JSON.stringify(body)).digest('hex')}`;
}
