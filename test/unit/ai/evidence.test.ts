import { applyEvidence } from '../../../lambdas/ai/evidence.ts';

describe('applyEvidence', () => {
  const getSteps = (...steps: string[]) => {
    const findings = { probable_root_cause: 'x', confidence: 1, resolution_steps: steps, related_problem: null };
    const given = { ...findings, similar_past_incidents: [], estimated_resolution_minutes: null };
    const { resolution_steps } = applyEvidence(
      'root_cause',
      given,
      { similar: [], problem: null },
      { document: {} },
      [],
    ) as typeof given;
    return resolution_steps;
  };

  it('lists a step once, ignoring case, punctuation and names', () => {
    expect(
      getSteps(
        'The gateway in Lisbon ran out of address leases; the pool was doubled.',
        'Restart the client.',
        'restart the client',
        'The gateway in New York ran out of address leases; the pool was doubled.',
      ),
    ).toEqual(['The gateway in Lisbon ran out of address leases; the pool was doubled.', 'Restart the client.']);
  });

  it('keeps steps that differ in a number, a small word, or the first word', () => {
    const steps = [
      'Open port 443 of the firewall for the whole network of the office',
      'Open port 8443 of the firewall for the whole network of the office',
      'Do not restart the database before the backup of the night has ended',
      'Do restart the database before the backup of the night has ended',
      'Restart the database before the backup of the night has ended',
      'Stop the database before the backup of the night has ended',
      'Open Outlook',
      'Open Teams',
    ];
    expect(getSteps(...steps)).toEqual(steps);
  });
});
