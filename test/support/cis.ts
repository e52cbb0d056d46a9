import type { Answer } from './http.ts';
import type { Api, Fields } from './incidents.ts';

/** Creates a configuration item and returns the response. */
export async function aCi(api: Api, fields: Fields = {}): Promise<Answer> {
  const answer = await api.post('/cmdb/cis', { name: 'web-01', class: 'server', ...fields });
  expect(answer.status).toBe(201);
  return answer;
}
