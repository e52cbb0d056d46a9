// One caller may make 100 requests a second, so a load needs many: people, each signed in.
import { createPerson, signIn } from '../support/people.ts';
import type { Service } from '../support/service.ts';

export async function manyTokens(service: Service, count: number, role: string): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < count; index++) {
    tokens.push(await signIn(service, await createPerson(service, `${role}-${index}@example.com`, role)));
  }
  return tokens;
}
