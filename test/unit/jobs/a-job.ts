// A job and its in-memory store, for tests of the workers.
import type { BulkRequest, JobResult } from '../../../contract/jobs.ts';
import { type Job, newJob } from '../../../lambdas/jobs/job.ts';
import type { JobStore } from '../../../lambdas/jobs/job-store.ts';
import type { Caller } from '../../../lambdas/platform/caller.ts';

export const start = Date.parse('2026-03-01T09:00:00.000Z');

export const caller: Caller = {
  id: 'caller-1',
  email: 'ada.lovelace@example.com',
  kind: 'user',
  roles: ['itsm_agent'],
  clientId: 'client-1',
  ownerId: 'caller-1',
  tokenExpiresAt: 1,
};

export function toUpdate(count: number): Extract<BulkRequest, { ids: readonly string[] }> {
  const ids = Array.from({ length: count }, (_, index) => `INC${String(index).padStart(7, '0')}`);
  return { operation: 'update', ids, fields: { work_note: 'Seen.' } };
}

export function aJob(request: BulkRequest = toUpdate(3)): Job {
  return newJob('job_00000000000000000000000001', 'incident', request, caller, start);
}

export interface MemoryJobs extends JobStore {
  current: Job;
  known: Map<number, JobResult>;
}

export function memoryJobs(job: Job, request: BulkRequest): MemoryJobs {
  const known = new Map<number, JobResult>();
  const jobs: MemoryJobs = {
    current: job,
    known,
    get: async () => jobs.current,
    results: async () => [...known.values()].sort((a, b) => a.index - b.index),
    find: async () => ({ job: jobs.current, results: await jobs.results(job.job_id) }),
    source: async () => request,
    async change(next) {
      if (next.revision !== jobs.current.revision + 1) return { kind: 'condition_failed', failedWrite: 'job' };
      jobs.current = next;
      return { kind: 'written' };
    },
    async addResult(_job, result) {
      if (known.has(result.index)) return { kind: 'condition_failed', failedWrite: 'result' };
      known.set(result.index, result);
      return { kind: 'written' };
    },
  };
  return jobs;
}
