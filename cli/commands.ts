import { apiCommands } from './api.ts';
import { applyCommands } from './apply.ts';
import { assistantCommands } from './assistant.ts';
import { attachmentCommands } from './attachments.ts';
import { type Command, type Option, UsageError } from './command.ts';
import { completionScripts } from './completion-scripts.ts';
import { doctorCommands } from './doctor.ts';
import { eventCommands } from './events.ts';
import { exportCommands } from './export.ts';
import { importCommands } from './import.ts';
import { incidentCommands } from './incidents.ts';
import { loginCommands } from './login.ts';
import { mcpCommands } from './mcp.ts';
import { onCallCommands } from './on-call.ts';
import { problemCommands } from './problems.ts';
import { proposalCommands } from './proposals.ts';
import { sharedCommands } from './records.ts';
import { webhookCommands } from './webhooks.ts';

export const commands: readonly Command[] = [
  ...loginCommands,
  ...incidentCommands,
  ...problemCommands,
  ...sharedCommands,
  ...attachmentCommands,
  ...assistantCommands,
  ...eventCommands,
  ...webhookCommands,
  ...proposalCommands,
  ...onCallCommands,
  ...importCommands,
  ...exportCommands,
  ...applyCommands,
  ...apiCommands,
  ...doctorCommands,
  ...mcpCommands,
  {
    name: 'completion',
    args: '<bash|zsh|fish>',
    minArgs: 1,
    argValues: [Object.keys(completionScripts)],
    summary: 'Print a completion script: source <(itsm completion bash)',
    async run({ args: [shell = ''], output }) {
      const script = completionScripts[shell];
      if (!script) throw new UsageError(`There is no completion for "${shell}". Use bash, zsh or fish.`);
      output.result(script, { script });
    },
  },
];

export const commonOptions: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', description: 'Print JSON, one document per line.' },
  csv: { type: 'boolean', description: 'Print CSV with a heading.' },
  fields: {
    type: 'string',
    value: 'id,origin.kind',
    description: 'Print only these fields, separated by tabs; dots lead to nested fields.',
  },
  profile: { type: 'string', value: 'name', description: 'Use the address and key of this profile.' },
  help: { type: 'boolean', short: 'h', description: 'Show this help.' },
  version: { type: 'boolean', description: 'Show the version.' },
};
