import { type Command, UsageError } from './command.ts';

export const mcpCommands: Command[] = [
  {
    name: 'mcp',
    summary: 'Serve incidents to coding agents (Model Context Protocol on stdin and stdout)',
    options: {
      propose: { type: 'boolean', description: 'Also offer tools that propose changes, which a person approves.' },
      write: { type: 'boolean', description: 'Also offer tools that create and change records.' },
    },
    async run({ options, connect, signal, stdin, stdout, version }) {
      // Loaded here, because loading it takes longer than most other commands.
      const { serveMcp } = await import('./mcp-server.ts');
      if (options.propose && options.write) throw new UsageError('Use either --propose or --write.');
      const mode = options.write ? 'write' : options.propose ? 'propose' : 'read';
      await serveMcp(await connect(), { stdin, stdout, signal, version, mode });
    },
  },
];
