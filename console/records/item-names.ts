import type { ServiceClient } from '../../client/index.ts';
import { createIdFinder } from '../../contract/ids.ts';

// Histories store the ids of configuration items; people know the items by their names.

const idPattern = createIdFinder(['ci']);

/** The service looks up at most this many per request. */
const maxIds = 100;

/** Loads the names of the items that a history mentions. Without them it shows the ids. */
export async function loadItemNames(
  client: ServiceClient,
  history: unknown,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(JSON.stringify(history).match(idPattern) ?? [])].slice(0, maxIds);
  if (ids.length === 0) return new Map();
  const items = await client
    .listCis({ id: ids.join(','), limit: maxIds }, { signal, retries: 0 })
    .catch(() => undefined);
  return new Map(items?.data.map(({ id, name }) => [id, name]));
}

export function nameItems(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(idPattern, (id) => names.get(id) ?? id);
}
