import { assistantCommands } from './assistant.ts';
import type { Command, Option } from './command.ts';
import { doctorCommands } from './doctor.ts';
import { eventCommands } from './events.ts';
import { exportCommands } from './export.ts';
import { importCommands } from './import.ts';
import { incidentCommands } from './incidents.ts';
import { loginCommands } from './login.ts';
import { mcpCommands } from './mcp.ts';
import { webhookCommands } from './webhooks.ts';

export const commands: readonly Command[] = [
  ...loginCommands,
  ...incidentCommands,
  ...assistantCommands,
  ...eventCommands,
  ...webhookCommands,
  ...importCommands,
  ...exportCommands,
  ...doctorCommands,
  ...mcpCommands,
  {
    name: 'completion',
    args: '<bash|zsh>',
    minArgs: 1,
    summary: 'Print a completion script: source <(itsm completion bash)',
    async run({ args: [shell], output }) {
      const script = formatCompletion(shell ?? '');
      output.result(script, { script });
    },
  },
];

export const commonOptions: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', description: 'Print JSON, one document per line.' },
  help: { type: 'boolean', description: 'Show this help.' },
  version: { type: 'boolean', description: 'Show the version.' },
};

export function formatHelp(command?: Command): string {
  if (command) {
    const usage = `itsm ${[command.name, command.args].filter(Boolean).join(' ')} [options]`;
    const options = Object.entries({ ...command.options, ...commonOptions });
    return [
      command.summary,
      '',
      `  ${usage}`,
      '',
      ...alignPairs(options.map(([name, one]) => [formatOption(name, one), one.description])),
    ].join('\n');
  }
  const list = commands.map(({ name, args, summary }): [string, string] => [
    [name, args].filter(Boolean).join(' '),
    summary,
  ]);
  return [
    'itsm <command> [options]',
    '',
    ...alignPairs(list),
    '',
    'Add --help to a command for its options and --json for programs.',
    'ITSM_URL and ITSM_API_KEY take the place of itsm login.',
    'Exit codes: 0 success, 1 error, 2 wrong usage, 3 not allowed, 4 not found, 5 not reachable.',
  ].join('\n');
}

function formatOption(name: string, { value }: Option): string {
  return value ? `--${name} ${value}` : `--${name}`;
}

function alignPairs(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function formatCompletion(shell: string): string {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0]))].join(' ');
  const cases = [
    ...new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0])),
  ].map((group) => {
    const words = commands.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.split(' ')[1]);
    return `    ${group}) words="${words.join(' ')}" ;;`;
  });
  const script = `_itsm() {
  local words="${first}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" = 1 ] && words="${first}"
  [ "$COMP_CWORD" -gt 2 ] && words=""
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _itsm itsm`;
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
}
