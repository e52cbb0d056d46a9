import { parseArgs } from 'node:util';
import { ServiceProblem } from '../client/index.ts';
import { type Command, type OptionValue, UsageError } from './command.ts';
import { commands, commonOptions, formatHelp } from './commands.ts';
import { createOutput } from './output.ts';
import { connectWith, loadSettings } from './settings.ts';

declare const packageVersion: string;

const exitCodes = { error: 1, usage: 2, notAllowed: 3, notFound: 4, notReachable: 5, interrupted: 130 } as const;

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', () => process.exit(0));

await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  try {
    const command = findCommand(argv);
    if (argv.includes('--version')) return void console.log(packageVersion);
    if (!command || argv.includes('--help')) {
      console.log(formatHelp(command));
      const isWrong = !command && argv.some((word) => !word.startsWith('--'));
      if (isWrong) throw new UsageError(`There is no command "${argv.join(' ')}".`);
      return;
    }
    const { args, options } = parse(command, argv);
    const output = createOutput(process.stdout, process.stderr, options.json === true);
    const connect = async () => connectWith(loadSettings(process.env));
    await command.run({ args, options, output, connect, signal: stop.signal });
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** The longest name that the words begin with. */
function findCommand(argv: readonly string[]): Command | undefined {
  const line = argv.filter((word) => !word.startsWith('--')).join(' ');
  return commands
    .filter(({ name }) => line === name || line.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

function parse(command: Command, argv: readonly string[]): { args: string[]; options: Record<string, OptionValue> } {
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

/** Says what happened on standard error; the exit code tells programs. */
function report(error: unknown): number {
  if (stop.signal.aborted) return exitCodes.interrupted;
  if (error instanceof UsageError) {
    console.error(`${error.message}\nRun itsm --help for the commands.`);
    return exitCodes.usage;
  }
  if (!(error instanceof ServiceProblem)) {
    console.error(error instanceof Error ? error.message : String(error));
    return exitCodes.error;
  }
  const { status, code, detail, errors, requestId, document } = error;
  console.error(`${code}: ${detail}`);
  for (const { field, message } of errors) console.error(`  ${field} ${message}`);
  if (Array.isArray(document.allowed_transitions))
    console.error(`  allowed: ${document.allowed_transitions.join(', ')}`);
  if (requestId) console.error(`  request ${requestId}, see docs/errors.md#${code}`);
  if (status === 0) return exitCodes.notReachable;
  if (status === 401 || status === 403 || code === 'invalid_client') return exitCodes.notAllowed;
  return status === 404 ? exitCodes.notFound : exitCodes.error;
}
