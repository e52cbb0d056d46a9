import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import type { ServiceClient } from '../client/index.ts';
import { untrusted } from './tools.ts';

/** Whole records, such as itsm://incidents/INC7Q2M4KX. */
export function addResources(server: McpServer, client: ServiceClient): void {
  const readers = {
    incidents: client.getIncident,
    problems: client.getProblem,
    changes: client.getChange,
    requests: client.getRequest,
    cis: client.getCi,
    articles: client.getArticle,
  };
  for (const [name, read] of Object.entries(readers)) {
    const template = new ResourceTemplate(`itsm://${name}/{id}`, { list: undefined });
    const mimeType = 'application/json';
    const description = `One record of ${name}. ${untrusted}`;
    server.registerResource(name, template, { description, mimeType }, async (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType, text: JSON.stringify(await read({ id: String(id) })) }],
    }));
  }
}

export function addPrompts(server: McpServer): void {
  const ask = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] });
  server.registerPrompt(
    'triage_incident',
    { description: 'Assess one incident and propose the next step.', argsSchema: { id: z.string() } },
    ({ id }) =>
      ask(`Triage the incident ${JSON.stringify(id)}.
1. Read it with get_incident, and its changes with list_events.
2. Look for similar resolved incidents and for articles, and check the impact if it has a configuration item.
3. Propose priority, category, assignment group and next step. Cite the IDs that support each proposal, and say what you do not know.
Change nothing before I agree.`),
  );
  server.registerPrompt('triage_queue', { description: 'Sort the incidents that need attention.' }, () =>
    ask(`Triage the open incidents.
1. List those with a breached SLA, then those that are due soon, then new incidents without an assignee.
2. Group incidents that seem to have one cause, such as the same configuration item.
3. Return a table in the order of urgency: ID, priority, reason, proposed assignment group, next step.
Change nothing before I agree.`),
  );
}
