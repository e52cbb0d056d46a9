import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ServiceClient } from '../client/index.ts';
import type { Terminal } from './command.ts';
import { addPrompts, addResources } from './mcp-records.ts';
import { addProposalTools, addReadTools, addWriteTools } from './mcp-tools.ts';

// A Model Context Protocol server on standard input and output, for coding agents. It only reads unless it is started with
// --write or --propose. Records contain text of many people: tools return it as data, and the descriptions say so.

/** Serves until the agent closes standard input. */
export async function serveMcp(
  client: ServiceClient,
  { stdin, stdout, signal, version, mode }: Omit<Terminal, 'stderr' | 'environment'> & { mode: McpMode },
): Promise<void> {
  const server = createMcpServer(client, version, mode);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}

/** What the agent may do besides reading. */
export type McpMode = 'read' | 'propose' | 'write';

const instructions: Readonly<Record<McpMode, string>> = {
  read: 'All tools only read. The person can start the server with --propose or --write to allow changes.',
  propose: 'Propose changes with their evidence. A person approves or rejects each proposal; nothing changes before.',
  write: 'Tools whose description starts with "Writes:" can change records. Ask the person before you use them.',
};

function createMcpServer(client: ServiceClient, version: string, mode: McpMode): McpServer {
  const server = new McpServer({ name: 'itsm', version }, { instructions: instructions[mode] });
  addReadTools(server, client);
  if (mode === 'write') addWriteTools(server, client);
  if (mode === 'propose') addProposalTools(server, client);
  addResources(server, client);
  addPrompts(server);
  return server;
}
