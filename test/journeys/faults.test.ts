import { injectFaults } from '../faults/inject-faults.ts';
import { startTestService } from '../support/incidents.ts';

const { service } = await startTestService();

describe('an AWS call that fails once', () => {
  // `npm run test:faults` fails every call, with another order of the faults each time.
  it('loses, repeats and half-writes nothing, and shows callers only documented errors', async () => {
    const { findings } = await injectFaults(service, { seed: 20_261_116, maxCases: 12 });
    expect(findings).toEqual([]);
  });
});
