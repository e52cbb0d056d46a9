import { type ApiKey, consumerName } from './api-key.ts';
import type { AppClient, AppClients } from './app-client-directory.ts';
import type { Consumers } from './consumer-store.ts';

/** What makes a key work: its app client and its place in the usage plan. */
export interface AccessTools {
  clients: AppClients;
  consumers: Consumers;
}

export async function giveAccess({ clients, consumers }: AccessTools, { id, role }: ApiKey): Promise<AppClient> {
  const name = consumerName(id);
  const client = await clients.create(name, role);
  await consumers.add(name, client.clientId);
  return client;
}

/**
 * The client first: with it go all further tokens. What is gone already is no error, so this may be done again and again
 * until it succeeds. A client whose id never arrived here is found by its name.
 */
export async function takeAccess({ clients, consumers }: AccessTools, { id, client_id }: ApiKey): Promise<void> {
  const name = consumerName(id);
  for (const clientId of client_id === null ? await clients.idsOf(name) : [client_id]) await clients.delete(clientId);
  await consumers.remove(name);
}
