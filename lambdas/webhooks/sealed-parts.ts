import { hiddenValue } from '../../contract/webhook-settings.ts';
import { newSecret } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secret-box.ts';

/** Seals the values of headers one by one, so that changing one leaves the others alone. */
export async function sealedHeaders(
  box: Pick<SecretBox, 'seal'>,
  webhookId: string,
  headers: Readonly<Record<string, string | null>>,
): Promise<Record<string, string>> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const sealed = given.map(async ([name, value]) => [name, await box.seal(webhookId, value)] as const);
  return Object.fromEntries(await Promise.all(sealed));
}

/** The values to seal of a patch; those that are to stay are not among them, unless there is nothing to keep. */
export function changedHeaders(
  patch: Readonly<Record<string, string | null>>,
  known: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const names = new Set(Object.keys(known).map((name) => name.toLowerCase()));
  const stays = (name: string, value: string | null) => value === hiddenValue && names.has(name.toLowerCase());
  return Object.fromEntries(Object.entries(patch).filter(([name, value]) => !stays(name, value)));
}

export async function sealedSecret(
  box: Pick<SecretBox, 'seal'>,
  webhookId: string,
): Promise<{ secret: string; sealed: string }> {
  const secret = newSecret();
  return { secret, sealed: await box.seal(webhookId, secret) };
}
