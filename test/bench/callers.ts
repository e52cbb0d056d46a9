// A caller is limited to 100 requests per second, so the load uses many signed-in people.
import { createPerson, signIn } from '../support/people.ts';
import type { Service } from '../support/service.ts';

/** Several benches may run against one service. */
let people = 0;

export async function createTokens(service: Service, count: number, role: string): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const email = `${role}-${people++}@example.com`;
    tokens.push(await signIn(service, await createPerson(service, email, role)));
  }
  return tokens;
}
