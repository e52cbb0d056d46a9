import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ServiceClient } from '../client/index.ts';
import type { Terminal } from './command.ts';
import { addPrompts, addResources } from './mcp-records.ts';
import { addReadTools, addWriteTools } from './mcp-tools.ts';

// A Model Context Protocol server on standard input and output, for coding agents. It only reads unless it is started with
// --write. Records contain text of many people: tools return it as data, and the descriptions say so.

/** Serves until the agent closes standard input. */
export async function serveMcp(
  client: ServiceClient,
  { stdin, stdout, signal, version, canWrite }: Omit<Terminal, 'stderr' | 'environment'> & { canWrite: boolean },
): Promise<void> {
  const server = createMcpServer(client, version, canWrite);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}

function createMcpServer(client: ServiceClient, version: string, canWrite: boolean): McpServer {
  const instructions = canWrite
    ? 'Tools whose description starts with "Writes:" can change records. Ask the person before you use them.'
    : 'All tools only read. The person can start the server with --write to allow changes.';
  const server = new McpServer({ name: 'itsm', version }, { instructions });
  addReadTools(server, client);
  if (canWrite) addWriteTools(server, client);
  addResources(server, client);
  addPrompts(server);
  return server;
}
