import type { Readable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { ServiceProblem } from '../client/index.ts';
import {
  type Command,
  type Environment,
  type OptionValue,
  readFormat,
  readText,
  type Terminal,
  UsageError,
} from './command.ts';
import { complete } from './completion.ts';
import { formatHelp } from './help.ts';
import { createOutput } from './output.ts';
import { describeUnknownCommand, findCommand, parseOptions, parseWords } from './parse.ts';
import { connectWith, loadSettings, type Settings, selectProfile } from './settings.ts';

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
  let settings: Settings | undefined;
  const load = (environment: Environment) => {
    settings = loadSettings(environment);
    return settings;
  };
  try {
    return await runCommand(argv, terminal, load);
  } catch (error) {
    return report(error, terminal, settings?.baseUrl);
  }
}

async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  load: (environment: Environment) => Settings | undefined,
): Promise<number> {
  const { stdin, stdout, stderr, version } = terminal;
  if (argv[0] === '__complete') {
    for (const { word, description } of complete(argv.slice(1)))
      stdout.write(`${description ? `${word}\t${description}` : word}\n`);
    return exitCodes.success;
  }
  const { words, values } = parseWords(argv);
  const isHelp = values.help === true || words[0] === 'help' || argv.length === 0;
  const selected = words[0] === 'help' ? words.slice(1) : words;
  const command = findCommand(selected);
  if (!command && selected.length > 0) throw new UsageError(describeUnknownCommand(selected));
  if (values.version || isHelp || !command) {
    stdout.write(`${values.version ? version : formatHelp(command)}\n`);
    return exitCodes.success;
  }
  const { args, options } = parseOptions(command, argv);
  await readTexts(command, options, stdin);
  const environment = selectProfile(terminal.environment, readText(options, 'profile'));
  const output = createOutput(stdout, stderr, readFormat(options));
  const connect = async () => connectWith(load(environment), environment);
  let exitCode: number = exitCodes.success;
  const fail = () => {
    exitCode = exitCodes.error;
  };
  await command.run({ ...terminal, environment, args, options, output, connect, fail });
  return exitCode;
}

/** Text options may come from standard input. */
async function readTexts(command: Command, options: Record<string, OptionValue>, stdin: Readable): Promise<void> {
  for (const [name, { value }] of Object.entries(command.options ?? {}))
    if (value === 'text' && options[name] === '-') options[name] = (await readAll(stdin)).trimEnd();
}

/** Prints the error to standard error and returns the exit code. */
function report(error: unknown, { stderr, signal }: Terminal, baseUrl: string | undefined): number {
  const print = (line: string) => stderr.write(`${line}\n`);
  if (signal.aborted) return exitCodes.interrupted;
  if (error instanceof UsageError) {
    print(`${error.message}\nRun itsm -h for the commands.`);
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
  if (requestId) print(`  request ${requestId}`);
  if (baseUrl && String(document.type).startsWith('/')) print(`  see ${new URL(String(document.type), baseUrl)}`);
  if (status === 0) return exitCodes.notReachable;
  if (status === 401 || status === 403 || code === 'invalid_client') return exitCodes.notAllowed;
  return status === 404 ? exitCodes.notFound : exitCodes.error;
}
