import { readdirSync, readFileSync } from 'node:fs';
import { inboundPresetNames } from '../../../../contract/inbound-presets.ts';
import { inboundWebhookCreation } from '../../../../contract/inbound-webhooks.ts';
import { planEvent } from '../../../../lambdas/webhooks/inbound/mapping.ts';
import { applyPreset } from '../../../../lambdas/webhooks/inbound/webhook.ts';

const folder = new URL('../../../../contract/preset-samples/', import.meta.url);

const topic_arn = 'arn:aws:sns:eu-central-1:123456789012:alarms';

function plan(sample: string) {
  const [preset] = sample.split('-');
  const settings = { name: 'x', preset, ...(preset === 'cloudwatch' && { topic_arn }) };
  const payload = JSON.parse(readFileSync(new URL(`${sample}.json`, folder), 'utf8'));
  return planEvent(applyPreset(inboundWebhookCreation.parse(settings)), payload);
}

/** What each sample leads to: the incident that it creates, or the action on the incident with the same key. */
const expected: Record<string, object | string> = {
  'alertmanager-firing': {
    short_description: '[InstanceDown] db-1:9100, db-2:9100',
    description: expect.stringMatching(/^db-1 has not .*, db-2 has not .*\n\nInstances: db-1:9100, db-2:9100\n/),
    priority: 'P1',
  },
  'alertmanager-resolved': 'resolve_incident',
  'grafana-firing': {
    short_description: '[Memory is short, Load is high] Memory of zone-1 is short, Load of zone-2 is high',
    description: expect.stringContaining('Instances: not named'),
    priority: 'P3',
  },
  'grafana-resolved': 'resolve_incident',
  'grafana-without-labels': { short_description: '[Grafana alert]', priority: 'P3' },
  'cloudwatch-alarm': { short_description: 'CloudWatch alarm orders-latency', priority: 'P3' },
  'cloudwatch-ok': 'resolve_incident',
  'datadog-triggered': { short_description: '[Triggered] Load of web-3 is high', priority: 'P2' },
  'datadog-recovered': 'resolve_incident',
  'sentry-created': { short_description: 'TypeError: basket is undefined', priority: 'P2' },
  'sentry-resolved': 'resolve_incident',
  'github-issue-opened': { short_description: 'example/shop#7: Search returns nothing' },
  'github-issue-closed': 'resolve_incident',
  'github-workflow-failed': {
    short_description: 'Workflow deploy failed on main',
    description: expect.stringMatching(/^fix\(basket\): count items once\n/),
  },
  'github-workflow-succeeded': 'resolve_incident',
  'pagerduty-trigger': { short_description: 'Disk of srv-7 is full', priority: 'P1' },
  'pagerduty-trigger-without-key': { short_description: 'Disk of srv-7 is full', priority: 'P1' },
  'pagerduty-acknowledge': 'update_incident',
  'pagerduty-resolve': 'resolve_incident',
};

describe('a preset', () => {
  it('has samples in the documented form', () => {
    const samples = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(samples.map((name) => name.replace('.json', '')).sort()).toEqual(Object.keys(expected).sort());
    expect(new Set(samples.map((name) => name.split('-')[0]))).toEqual(new Set(inboundPresetNames));
  });

  it.each(Object.entries(expected))('maps the sample %s', (sample, outcome) => {
    const { passed, problems, input } = plan(sample);
    expect({ passed, problems }).toEqual({ passed: true, problems: [] });
    if (typeof outcome === 'string') expect(input).toMatchObject({ action: outcome });
    else expect(input).toMatchObject({ action: 'create_incident', creation: outcome });
  });

  it.each(['alertmanager', 'grafana'])('resolves the group that it created: %s', (preset) => {
    expect(plan(`${preset}-resolved`).dedupKey).toBe(plan(`${preset}-firing`).dedupKey);
  });
});
