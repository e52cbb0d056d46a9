// The running service for tests: the program that `npm start` runs, as a process of its own, on a free port and a data
// folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Credentials } from '../../bin/server/credentials.ts';
import { root } from '../../tools/build/local-build.ts';

const startBoundMs = 400_000;

/**
 * A service of a test ends before optimized code would pay off: compiling it takes a quarter of its processor time. Neither
 * does marking a heap below 512 MB, which takes a tenth. Helper threads of V8 would only compete with the other tests.
 * Benches start the service as `npm start` does.
 */
const testFlags = ['--no-opt', '--single-threaded', '--initial-heap-size=512'];

export interface Service {
  /** http://localhost:<port> */
  baseUrl: string;
  authUrl: string;
  awsUrl: string;
  awsCredentials: { accessKeyId: string; secretAccessKey: string };
  credentials: Credentials;
  dataFolder: string;
  process: ChildProcess;
  /** What it wrote to the terminal so far. */
  output(): string;
  /**
   * Moves the service's clock; everything due on the way has happened when this resolves. With `schedules`, only the
   * schedules of these functions run, which is much cheaper: the first five minutes start six more functions.
   */
  advance(duration: string, schedules?: readonly string[]): Promise<void>;
  /** Moves the clock and runs these schedules in the last three minutes only, which saves hundreds of runs. */
  advanceThenRun(minutes: number, schedules: readonly string[]): Promise<void>;
  /** Stops the service's clock, or lets it run on. */
  hold(held: boolean): Promise<void>;
  /** What was published to the service's topic, oldest first. */
  published(): Promise<{ subject: string; message: string }[]>;
  /** kill -9, without any cleanup. */
  kill(): Promise<void>;
  /** Stops it and keeps its data. */
  end(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** A folder that another service left behind, or one that does not exist yet. */
  dataFolder?: string;
  environment?: Record<string, string>;
  /** The folder with bin/start.js, if not this repository. */
  programFolder?: string;
  /** How many files and sockets the program may have open. */
  maxOpenFiles?: number;
  /** Without demo data by default. */
  args?: readonly string[];
}

export async function startService(options: StartOptions = {}): Promise<Service> {
  const dataFolder = options.dataFolder ?? newDataFolder(options);
  const { child, output } = launch({ ...options, dataFolder });
  await ready(child, output);
  const credentials: Credentials = JSON.parse(readFileSync(join(dataFolder, 'credentials.json'), 'utf8'));
  const advance: Service['advance'] = (duration, schedules) =>
    commandClock(credentials.base_url, { advance: duration, schedules });
  return {
    baseUrl: credentials.base_url,
    authUrl: credentials.auth_url,
    awsUrl: credentials.aws_endpoint_url,
    awsCredentials: {
      accessKeyId: credentials.aws_access_key_id,
      secretAccessKey: credentials.aws_secret_access_key,
    },
    credentials,
    dataFolder,
    process: child,
    output,
    advance,
    async advanceThenRun(minutes, schedules) {
      await advance(`${minutes - 3}m`, []);
      await advance('3m', schedules);
    },
    hold: (held) => commandClock(credentials.base_url, { hold: held }),
    published: async () =>
      (await (await fetch(`${credentials.base_url}/_local/published`)).json()) as {
        subject: string;
        message: string;
      }[],
    kill: () => end(child, 'SIGKILL'),
    end: () => end(child, 'SIGTERM'),
    async stop() {
      await end(child, 'SIGTERM');
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Without demo data, it is a copy of a prepared folder if the test run has one. */
function newDataFolder({ args }: StartOptions): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-'));
  const started = process.env.STARTED_DATA;
  if (started && !args) cpSync(started, folder, { recursive: true });
  return folder;
}

/** Starts the program without waiting for it to be ready: for starts that fail. */
export function launch(options: StartOptions & { dataFolder: string }): { child: ChildProcess; output: () => string } {
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env;
  const { maxOpenFiles, programFolder = root } = options;
  const program = [
    process.execPath,
    ...(process.env.JEST_WORKER_ID ? testFlags : []),
    join(programFolder, 'bin/start.js'),
    ...(options.args ?? ['--empty']),
  ];
  const [command, ...args] = maxOpenFiles
    ? ['bash', '-c', `ulimit -n ${maxOpenFiles} && exec "$@"`, 'bash', ...program]
    : program;
  const child = spawn(command!, args, {
    cwd: programFolder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Suites share two processors, so a burst may take long to arrive, and this is no overload. Benches use one arena, like `npm start`.
    env: {
      ...inherited,
      PORT: '0',
      DATA_DIR: options.dataFolder,
      BURST_SECONDS: '60',
      ...(!process.env.JEST_WORKER_ID && { MALLOC_ARENA_MAX: '1' }),
      ...options.environment,
    },
  });
  let text = '';
  child.stdout!.on('data', (chunk) => (text += chunk));
  child.stderr!.on('data', (chunk) => (text += chunk));
  return { child, output: () => text };
}

export function waitForExit(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = waitForExit(child);
  child.kill(signal);
  await exit;
}

function ready(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`The service did not start (${why}).\n${output()}`));
    };
    const timer = setTimeout(() => fail(`not ready after ${startBoundMs / 1000} s`), startBoundMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`exit code ${code}`);
    });
    child.on('message', (message) => {
      if (message !== 'ready') return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve();
    });
  });
}

export async function commandClock(baseUrl: string, command: object): Promise<void> {
  const response = await fetch(`${baseUrl}/_local/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(command),
  });
  if (!response.ok) throw new Error(`the clock did not move: ${await response.text()}`);
}
