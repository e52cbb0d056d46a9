import type { Api } from './incidents.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';

/** Advances the clock until the job has ended. */
export async function waitForJob(service: Service, api: Api, jobId: string) {
  const read = async () => (await api.get(`/jobs/${jobId}`)).body;
  return until(
    read,
    ({ finished_at }) => finished_at,
    () => service.advance('20ms'),
  );
}
