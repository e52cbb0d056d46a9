// A deployed stage, reached with nothing but its address and the credentials of one client.
import { randomBytes } from 'node:crypto';
import {
  createClient,
  createTokenEndpoint,
  requestTokens,
  type ServiceClient,
  ServiceProblem,
} from '../../client/index.ts';

export interface StageOptions {
  /** The output ApiUrl of the stack. */
  url: string;
  clientId: string;
  clientSecret: string;
}

export interface Stage {
  url: string;
  authUrl: string;
  clientId: string;
  serviceInstance: string;
  client: ServiceClient;
  token: string;
  /** A word that no other run uses: it names the records of this run. */
  runName: string;
  /** Runs after all checks, newest first. */
  cleanUp(work: () => Promise<unknown>): void;
  cleanups: (() => Promise<unknown>)[];
}

/** Thrown when the stage cannot be tested. The message says what to change. */
export class StageUnreachable extends Error {}

const timeoutMs = 30_000;

export async function connectStage({ url, clientId, clientSecret }: StageOptions): Promise<Stage> {
  const baseUrl = url.replace(/\/+$/, '');
  const config = await readConsoleConfig(baseUrl);
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const tokens = await requestTokens(form, 'idempotent', createTokenEndpoint(config.auth_url)).catch(
    (error: unknown) => {
      const isRejected = error instanceof ServiceProblem && error.status > 0;
      const advice = isRejected
        ? 'Check --client-id and --client-secret: docs/deploy.md, "Call the API", reads them from the stack.'
        : 'The hosted login of a new stack takes some minutes until its name resolves.';
      throw new StageUnreachable(`No token from ${config.auth_url}: ${toMessage(error)} ${advice}`);
    },
  );
  const client = createClient({
    baseUrl,
    authUrl: config.auth_url,
    credentials: { clientId, clientSecret },
    timeoutMs,
  });
  const cleanups: Stage['cleanups'] = [];
  return {
    url: baseUrl,
    authUrl: config.auth_url,
    clientId,
    serviceInstance: config.service_instance,
    client,
    token: tokens.access_token,
    runName: `stagetest${randomBytes(6).toString('hex')}`,
    cleanups,
    cleanUp: (work) => void cleanups.push(work),
  };
}

interface ConsoleConfig {
  auth_url: string;
  service_instance: string;
}

/** The console's configuration is public and names the hosted login. */
async function readConsoleConfig(baseUrl: string): Promise<ConsoleConfig> {
  const address = `${baseUrl}/console/config.json`;
  const advice = '--url must be the output ApiUrl of the stack, such as https://incidents.your-company.com.';
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    throw new StageUnreachable(`No response from ${address}: ${toMessage(error)}. ${advice}`);
  });
  const config = (await response.json().catch(() => ({}))) as Partial<ConsoleConfig>;
  if (!response.ok || !config.auth_url || !config.service_instance)
    throw new StageUnreachable(`${address} is not the console of this service (status ${response.status}). ${advice}`);
  return { auth_url: config.auth_url, service_instance: config.service_instance };
}

/** Formats an error in one line. The reason of a failed fetch is in its `cause`. */
export function toMessage(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as { message?: string; cause?: { message?: string } };
  return `${message}${cause?.message ? ` (${cause.message})` : ''}`.replaceAll(/\s+/g, ' ');
}
