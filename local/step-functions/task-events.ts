// The history of one attempt of a Task. It is recorded together with its outcome, with the times at which it happened.
import type { Clock } from '../clock/clock.ts';
import type { HistoryEvent } from './execution.ts';
import type { StateError } from './state-error.ts';
import type { TaskResource } from './task-resource.ts';

export function taskEvents(resource: TaskResource, input: unknown, timeoutSeconds: unknown, clock: Clock) {
  const startedMs = clock.now();
  const timeout = timeoutSeconds === undefined ? {} : { timeoutInSeconds: timeoutSeconds };
  const text = JSON.stringify(input);
  const isFunction = resource.kind === 'function';
  const prefix = isFunction ? 'LambdaFunction' : 'Task';
  const named = isFunction ? {} : nameOf(resource);
  const scheduled = isFunction
    ? { resource: resource.functionArn, input: text, ...timeout }
    : { ...named, region: '', parameters: text, ...timeout };
  const began: HistoryEvent[] = [
    { type: `${prefix}Scheduled`, timeMs: startedMs, details: scheduled },
    { type: `${prefix}Started`, timeMs: startedMs, details: named },
  ];
  const ended = (type: string, details: Record<string, unknown>): HistoryEvent[] => [
    ...began,
    { type, timeMs: clock.now(), details: { ...named, ...details } },
  ];
  return {
    succeeded: (result: unknown) => ended(`${prefix}Succeeded`, { output: JSON.stringify(result) }),
    failed: ({ error, cause }: StateError) =>
      ended(error === 'States.Timeout' ? `${prefix}TimedOut` : `${prefix}Failed`, { error, cause }),
  };
}

function nameOf(resource: Exclude<TaskResource, { kind: 'function' }>) {
  if (resource.kind === 'invoke') return { resourceType: 'lambda', resource: 'invoke' };
  const operation = resource.operation[0]!.toLowerCase() + resource.operation.slice(1);
  return { resourceType: resource.service, resource: operation };
}
