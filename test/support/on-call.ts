import type { Answer } from './http.ts';
import { type Api, createApi, type Fields } from './incidents.ts';
import { createPerson, signIn } from './people.ts';
import type { Service } from './service.ts';

/** A weekly rotation that changes on Mondays at nine. */
export function aLayer(people: readonly string[], fields: Fields = {}) {
  return {
    name: 'Weekly rotation',
    people,
    shift_length: 1,
    shift_unit: 'weeks',
    handoff_time: '09:00',
    handoff_weekday: 'monday',
    starts_on: '2026-01-05',
    ...fields,
  };
}

export async function aSchedule(api: Api, people: readonly string[], fields: Fields = {}): Promise<Answer> {
  const answer = await api.post('/schedules', {
    name: 'Network',
    time_zone: 'Europe/Berlin',
    layers: [aLayer(people)],
    ...fields,
  });
  if (answer.status !== 201) throw new Error(`POST /schedules returned ${JSON.stringify(answer.body)}`);
  return answer;
}

/** A person in the directory, and the API as that person. */
export async function aPerson(service: Service, email: string, role = 'itsm_agent'): Promise<Api & { email: string }> {
  const person = await createPerson(service, email, role);
  return { ...createApi(service, await signIn(service, person)), email };
}
