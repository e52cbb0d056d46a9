// What `npm start` can be told: options after --, and variables of the environment.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './local-build.ts';

export interface Settings {
  port: number;
  host: string;
  /** Further host names that the server answers to. */
  allowedHosts: string[];
  dataFolder: string;
  /** No demo data on the first start. */
  empty: boolean;
  /** A server that speaks OpenAI's chat completions; absent: the built-in model answers. */
  llm: { url: string; model: string; apiKey: string | undefined } | undefined;
}

/** Told to the user in one line. */
export class UsageError extends Error {}

const options = { empty: { type: 'boolean' }, llm: { type: 'string' }, 'llm-model': { type: 'string' } } as const;
const usage =
  'There are --empty, --llm <address> and --llm-model <name>; settings are PORT, HOST, ALLOWED_HOSTS, DATA_DIR and LLM_API_KEY.';

export function readSettings(args: readonly string[] = process.argv.slice(2), env = process.env): Settings {
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const unknown = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [token.value];
    return token.kind === 'option' && !(token.name in options) ? [token.rawName] : [];
  });
  if (unknown.length > 0) throw new UsageError(`Unknown option ${unknown.join(' ')}. ${usage}`);
  const port = Number(env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`PORT must be a port number, not "${env.PORT}".`);
  return {
    port,
    host: env.HOST ?? '127.0.0.1',
    allowedHosts: (env.ALLOWED_HOSTS ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    dataFolder: env.DATA_DIR ?? join(root, '.data'),
    empty: values.empty === true,
    llm: llmOf(values.llm, values['llm-model'], env.LLM_API_KEY),
  };
}

function llmOf(url: unknown, model: unknown, apiKey: string | undefined): Settings['llm'] {
  if (url === undefined && model === undefined) return undefined;
  if (typeof url !== 'string' || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UsageError('--llm needs the address of a server, such as --llm http://localhost:11434');
  if (typeof model !== 'string' || model === '')
    throw new UsageError('--llm-model needs the name of a model that the server has, such as --llm-model qwen3:8b');
  return { url, model, apiKey };
}
