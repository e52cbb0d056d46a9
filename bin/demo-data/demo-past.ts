import { randomUUID } from 'node:crypto';
import type { Past, PastTools } from '../../local/past.ts';
import { demoDays, type Step, tellStory } from './story.ts';

// Plays the story with the service's own operations: the functions behind createIncident, updateIncident and
// createWorkNote are called as the gateway calls them, each at the time of its step. So demo incidents have histories,
// service levels and notes like all others. Not through the gateway itself, because its tokens last an hour and the
// story 90 days.

const day = 24 * 60 * 60_000;

const operations: Readonly<Record<Step['action'], Operation>> = {
  create: { name: 'create-incident', method: 'POST', path: () => '/incidents' },
  update: { name: 'update-incident', method: 'PATCH', path: (id) => `/incidents/${id}` },
  note: { name: 'create-work-note', method: 'POST', path: (id) => `/incidents/${id}/notes` },
};

interface Operation {
  name: string;
  method: string;
  path(id: string): string;
}

export function demoPast(stackName: string, nowMs: number): Past {
  return {
    fromMs: nowMs - (demoDays + 1) * day,
    async make(tools) {
      console.log('Making demo incidents of the last 90 days, once (npm start -- --empty leaves them out) …');
      const ids = new Map<number, string>();
      for (const step of tellStory(nowMs)) {
        tools.clock.skipTo(step.atMs);
        const id = await play(step, ids.get(step.incident) ?? '', stackName, tools);
        if (step.action === 'create') ids.set(step.incident, id);
      }
    },
  };
}

async function play(step: Step, id: string, stackName: string, { invoke }: PastTools): Promise<string> {
  const operation = operations[step.action];
  const { payload, functionError } = await invoke(`${stackName}-${operation.name}`, eventOf(step, id, operation));
  const { statusCode, body } = payload as { statusCode?: number; body?: string };
  if (functionError || !statusCode || statusCode >= 300) {
    throw new Error(`The demo data could not be made: ${operation.name} answered ${JSON.stringify(payload)}`);
  }
  return (JSON.parse(body!) as { id: string }).id;
}

/** What the gateway hands to a function. */
function eventOf({ actor, body, atMs }: Step, id: string, { method, path }: Operation) {
  return {
    httpMethod: method,
    path: `/api/v1${path(id)}`,
    headers: { 'content-type': 'application/json' },
    pathParameters: id === '' ? null : { id },
    multiValueQueryStringParameters: null,
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      authorizer: {
        caller_id: actor,
        email: actor,
        kind: 'user',
        roles: 'itsm_agent',
        client_id: 'demo',
        token_expires_at: String(Math.ceil(atMs / 1_000) + 3_600),
      },
    },
  };
}
