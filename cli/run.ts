import { parseArgs } from 'node:util';
import { ServiceProblem } from '../client/index.ts';
import { type Command, type OptionValue, type Terminal, UsageError } from './command.ts';
import { commands, commonOptions, formatHelp } from './commands.ts';
import { createOutput } from './output.ts';
import { connectWith, loadSettings } from './settings.ts';

const exitCodes = {
  success: 0,
  error: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  notReachable: 5,
  interrupted: 130,
} as const;

/** Runs one command and resolves with its exit code. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runCommand(argv, terminal);
  } catch (error) {
    return report(error, terminal);
  }
}

async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { stdout, stderr, environment, version } = terminal;
  const command = findCommand(argv);
  if (argv.includes('--version') || !command || argv.includes('--help')) {
    stdout.write(`${argv.includes('--version') ? version : formatHelp(command)}\n`);
    const isWrong = !command && argv.some((word) => !word.startsWith('--'));
    if (isWrong) throw new UsageError(`There is no command "${argv.join(' ')}".`);
    return exitCodes.success;
  }
  const { args, options } = parseOptions(command, argv);
  const output = createOutput(stdout, stderr, options.json === true);
  const connect = async () => connectWith(loadSettings(environment), environment);
  let exitCode: number = exitCodes.success;
  const fail = () => {
    exitCode = exitCodes.error;
  };
  await command.run({ ...terminal, args, options, output, connect, fail });
  return exitCode;
}

/** Finds the command with the longest matching name. */
export function findCommand(argv: readonly string[]): Command | undefined {
  const line = argv.filter((word) => !word.startsWith('--')).join(' ');
  return commands
    .filter(({ name }) => line === name || line.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

export function parseOptions(
  command: Command,
  argv: readonly string[],
): { args: string[]; options: Record<string, OptionValue> } {
  const known = Object.entries({ ...commonOptions, ...command.options }).map(([name, { type }]) => [name, { type }]);
  try {
    const { positionals, values } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(known),
      allowPositionals: true,
      strict: true,
    });
    const args = positionals.slice(command.name.split(' ').length);
    if (args.length < (command.minArgs ?? 0)) throw new UsageError(`itsm ${command.name} needs ${command.args}.`);
    return { args, options: values as Record<string, OptionValue> };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

/** Prints the error to standard error and returns the exit code. */
function report(error: unknown, { stderr, signal }: Terminal): number {
  const print = (line: string) => stderr.write(`${line}\n`);
  if (signal.aborted) return exitCodes.interrupted;
  if (error instanceof UsageError) {
    print(`${error.message}\nRun itsm --help for the commands.`);
    return exitCodes.usage;
  }
  if (!(error instanceof ServiceProblem)) {
    print(error instanceof Error ? error.message : String(error));
    return exitCodes.error;
  }
  const { status, code, detail, errors, requestId, document } = error;
  print(`${code}: ${detail}`);
  for (const { field, message } of errors) print(`  ${field} ${message}`);
  if (Array.isArray(document.allowed_transitions)) print(`  allowed: ${document.allowed_transitions.join(', ')}`);
  if (requestId) print(`  request ${requestId}, see docs/errors.md#${code}`);
  if (status === 0) return exitCodes.notReachable;
  if (status === 401 || status === 403 || code === 'invalid_client') return exitCodes.notAllowed;
  return status === 404 ? exitCodes.notFound : exitCodes.error;
}
