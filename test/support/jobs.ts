import type { Api } from './incidents.ts';
import type { Service } from './service.ts';

const maxLooks = 400;

/** Advances the clock until the job has ended. */
export async function waitForJob(service: Service, api: Api, jobId: string) {
  for (let look = 0; look < maxLooks; look++) {
    const { body } = await api.get(`/jobs/${jobId}`);
    if (body.finished_at) return body;
    await service.advance('20ms');
  }
  throw new Error(`${jobId} did not come to an end`);
}
