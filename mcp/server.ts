import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ServiceClient } from '../client/index.ts';
import { addPrompts, addResources } from './records.ts';
import { addProposalTools, addReadTools, addWriteTools } from './tools.ts';

// A Model Context Protocol server for agents. `itsm mcp` serves it on standard input and output, the API at /mcp. It only
// reads unless the person chooses another mode. Records contain text of many people: tools return it as data, and the
// descriptions say so.

/** What the agent may do besides reading. */
export type McpMode = 'read' | 'propose' | 'write';

const instructions: Readonly<Record<McpMode, string>> = {
  read: 'All tools only read. The person can connect with the mode "propose" or "write" to allow changes.',
  propose: 'Propose changes with their evidence. A person approves or rejects each proposal; nothing changes before.',
  write: 'Tools whose description starts with "Writes:" can change records. Ask the person before you use them.',
};

/** The default would load a compiler of schemas, only for answers to forms. */
const noForms = {
  getValidator(): never {
    throw new Error('The server has no forms.');
  },
};

export function createMcpServer(client: ServiceClient, version: string, mode: McpMode): McpServer {
  const server = new McpServer(
    { name: 'itsm', version },
    { instructions: instructions[mode], jsonSchemaValidator: noForms },
  );
  addReadTools(server, client);
  if (mode === 'write') addWriteTools(server, client);
  if (mode === 'propose') addProposalTools(server, client);
  addResources(server, client);
  addPrompts(server);
  return server;
}
