import { toUrl } from './router.ts';

/** The settings of one installation: a file beside index.html, so that one build serves all installations. */
export interface Config {
  base_url: string;
  auth_url: string;
  client_id: string;
  service_instance: string;
  /** The identity provider of the company, after "Sign in with"; empty: people sign in with passwords. */
  identity_provider?: string;
  local_passwords?: 'shown' | 'hidden';
  /** Whether pickers accept addresses that nobody in the directory has. */
  unknown_people?: 'refused' | 'allowed';
}

const keys = ['base_url', 'auth_url', 'client_id', 'service_instance'] as const;

export async function loadConfig(): Promise<Config> {
  const response = await fetch(toUrl('config.json'), { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`Could not load config.json (HTTP status ${response.status}).`);
  const config: Partial<Config> = await response.json();
  const missing = keys.filter((key) => typeof config[key] !== 'string' || config[key] === '');
  if (missing.length > 0) throw new Error(`config.json is missing ${missing.join(', ')}.`);
  return config as Config;
}
