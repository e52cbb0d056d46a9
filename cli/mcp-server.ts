import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ServiceClient } from '../client/index.ts';
import { createMcpServer, type McpMode } from '../mcp/server.ts';
import type { Terminal } from './command.ts';

/** Serves on standard input and output until the agent closes standard input. */
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
