import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import type { JobResult } from '../../../contract/jobs.ts';
import {
  countResults,
  findUnfinished,
  finishJob,
  getExpiryMs,
  isDue,
  markResent,
  startJob,
  toJobResponse,
} from '../../../lambdas/jobs/job.ts';
import {
  buildJobCreation,
  createJobStore,
  packSource,
  toResultWrite,
  unpackSource,
} from '../../../lambdas/jobs/job-store.ts';
import type { Item, ItemStore } from '../../../lambdas/records/item-store.ts';
import { aJob, start, toUpdate } from './a-job.ts';

const result = (index: number, status: JobResult['status']): JobResult => ({ index, id: null, status });

describe('a job', () => {
  it.each([
    ['completed', 3, 0],
    ['completed_with_errors', 2, 1],
    ['failed', 0, 3],
  ])('is %s with %i successes and %i failures', (status, succeeded, failed) => {
    expect(finishJob(aJob(), { succeeded, failed }, start).status).toBe(status);
  });

  it('keeps the time of its first start when it runs again', () => {
    const again = startJob(startJob(aJob(), start + 1_000), start + 60_000);
    expect(again).toMatchObject({ status: 'running', started_at: new Date(start + 1_000).toISOString() });
  });

  it('is due when its message should have arrived, and not before', () => {
    const job = aJob();
    expect(isDue(job, start + 119_999)).toBe(false);
    expect(isDue(job, start + 120_000)).toBe(true);
    expect(isDue(startJob(job, start), start + 120_000)).toBe(false);
    expect(isDue(markResent(job, start + 120_000), start + 120_000)).toBe(false);
    expect(isDue(finishJob(job, { succeeded: 3, failed: 0 }, start), start + 10 ** 9)).toBe(false);
  });

  it('lists exactly the records without a result as unfinished', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.uniqueArray(fc.nat(99)), (total, done) => {
        const job = aJob(toUpdate(total));
        const results = done.filter((index) => index < total).map((index) => result(index, 'succeeded'));
        const open = findUnfinished(job, results);
        expect(new Set([...open, ...results.map(({ index }) => index)]).size).toBe(total);
        expect(open.length + results.length).toBe(total);
        expect(toJobResponse(job, countResults(results)).processed).toBe(results.length);
      }),
    );
  });

  it('returns only the email address of its caller', () => {
    expect(JSON.stringify(toJobResponse(aJob()))).not.toContain('caller-1');
  });

  it('expires after 30 days, even if it is not deleted yet', async () => {
    const job = aJob();
    const [write] = buildJobCreation(job, toUpdate(3));
    const item = (write as { put: { Item: Item } }).put.Item;
    const store = { get: async () => item, range: async () => [] } as unknown as ItemStore;
    const month = 30 * 24 * 3_600_000;
    expect(getExpiryMs(job)).toBe(start + month);
    expect(Number(item.expires_at!.N)).toBe((start + month) / 1_000);
    expect(await createJobStore(store).find(job.job_id, start + month - 1)).toBeDefined();
    expect(await createJobStore(store).find(job.job_id, start + month)).toBeUndefined();
  });

  it('counts each result once', () => {
    expect(toResultWrite(aJob(), result(7, 'succeeded'))).toMatchObject({
      name: 'result',
      put: { Item: { sk: { S: 'result#007' } }, ConditionExpression: 'attribute_not_exists(pk)' },
    });
  });
});

describe('the source of a job', () => {
  it('is restored unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 100 }), (values) => {
        const records: unknown[] = JSON.parse(JSON.stringify(values));
        expect(unpackSource(packSource({ operation: 'create', records }))).toEqual({ operation: 'create', records });
      }),
    );
    expect(unpackSource(packSource(toUpdate(100)))).toEqual(toUpdate(100));
  });

  it('is split into pieces that fit into an item', () => {
    const records = Array.from({ length: 10 }, () => randomBytes(70_000).toString('base64'));
    const pieces = packSource({ operation: 'create', records });
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(400 * 1024);
    expect(unpackSource(pieces)).toEqual({ operation: 'create', records });
  });

  it('is rejected if it does not fit into a transaction', () => {
    const records = [randomBytes(4_000_000).toString('base64')];
    expect(() => packSource({ operation: 'create', records })).toThrow('too large');
  });
});
