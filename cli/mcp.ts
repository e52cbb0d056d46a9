import type { Command } from './command.ts';

export const mcpCommands: Command[] = [
  {
    name: 'mcp',
    summary: 'Serve incidents to coding agents (Model Context Protocol on stdin and stdout)',
    options: { write: { type: 'boolean', description: 'Also offer tools that create and change records.' } },
    async run({ options, connect, signal, stdin, stdout, version }) {
      // Loaded here, because loading it takes longer than most other commands.
      const { serveMcp } = await import('./mcp-server.ts');
      await serveMcp(await connect(), { stdin, stdout, signal, version, canWrite: options.write === true });
    },
  },
];
