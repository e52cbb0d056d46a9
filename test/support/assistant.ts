import { type Answer, expectProblem } from './http.ts';
import { type Api, anIncident, type Fields } from './incidents.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';

/** Moves the clock until a response fits. The service learns records shortly after they are written. */
export function advanceUntil(
  service: Service,
  ask: (look: number) => Promise<Answer>,
  fits: (answer: Answer) => boolean,
): Promise<Answer> {
  return until(ask, fits, () => service.advance('50ms'));
}

/** Creates an incident and resolves it, so that the service learns its resolution. */
export async function aResolvedIncident(api: Api, { resolution, ...fields }: Fields): Promise<string> {
  const { body } = await anIncident(api, fields);
  await api.patch(`/incidents/${body.id}`, { state: 'in_progress' });
  expect((await api.patch(`/incidents/${body.id}`, { state: 'resolved', resolution })).status).toBe(200);
  return body.id;
}

export async function anArticle(api: Api, fields: Fields): Promise<string> {
  const { status, body } = await api.post('/knowledge/articles', fields);
  expect(status).toBe(201);
  return body.id;
}

export const listCitedIds = ({ body }: Answer): string[] =>
  body.citations.map(({ article_id }: { article_id: string }) => article_id);

export function expectInvalid(answer: Answer, field: string): void {
  expectProblem(answer, 400, 'invalid_input');
  expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
}
