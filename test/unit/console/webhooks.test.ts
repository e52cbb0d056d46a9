import { toFilter, toFilterDraft } from '../../../console/features/webhooks/filter-draft.ts';
import {
  emptyDraft,
  findProblems,
  listFreeFields,
  toDraft,
  toPatch,
  toPresetDraft,
  toSettings,
} from '../../../console/features/webhooks/inbound-draft.ts';
import * as outbound from '../../../console/features/webhooks/outbound-draft.ts';
import { buildSamplePayload, loadSample } from '../../../console/features/webhooks/sample-payload.ts';
import {
  eventTypeNames,
  type Filter,
  type InboundWebhook,
  mappableFields,
  operators,
  proofNames,
} from '../../../console/resources/webhook-words.ts';
import { eventTypes } from '../../../contract/events.ts';
import { proofs } from '../../../contract/inbound-events.ts';
import { inboundPresetNames, inboundPresets } from '../../../contract/inbound-presets.ts';
import {
  mappableFields as contractFields,
  inboundWebhookCreation,
  inboundWebhookUpdate,
} from '../../../contract/inbound-webhooks.ts';
import {
  outboundWebhookCreation,
  outboundWebhookExample,
  outboundWebhookUpdate,
} from '../../../contract/outbound-webhook-schemas.ts';
import { routes } from '../../../contract/routes.ts';
import { filterOperators, webhookFilters } from '../../../contract/webhook-settings.ts';
import { planEvent } from '../../../lambdas/webhooks/inbound/mapping.ts';
import { applyPreset } from '../../../lambdas/webhooks/inbound/webhook.ts';
import fc from '../../support/properties.ts';

const inboundExample = routes.getInboundWebhook.responses[200].example as InboundWebhook;

describe('the words of webhooks', () => {
  it('cover every field, operator, event and signature of the service', () => {
    for (const [action, fields] of Object.entries(contractFields)) {
      expect([...mappableFields[action as keyof typeof mappableFields]].sort()).toEqual([...fields].sort());
    }
    expect(Object.keys(operators)).toEqual([...filterOperators]);
    expect(Object.keys(eventTypeNames)).toEqual([...eventTypes]);
    expect(Object.keys(proofNames)).toEqual([...proofs]);
  });
});

describe('a filter that somebody types', () => {
  it.each<[Filter['operator'], string, unknown]>([
    ['eq', 'P1', 'P1'],
    ['eq', '5', 5],
    ['eq', '"5"', '5'],
    ['eq', 'true', true],
    ['in', 'P1, P2', ['P1', 'P2']],
    ['in', '["P1"]', ['P1']],
    ['nin', '1,2', [1, 2]],
    ['exists', '', true],
    ['exists', 'false', false],
    ['starts_with', '5', '5'],
    ['starts_with', '"5"', '5'],
  ])('is parsed: %s %s', (operator, value, expected) => {
    expect(toFilter({ field: ' a ', operator, value })).toEqual({ field: 'a', operator, value: expected });
  });

  it('is formatted as it was stored', () => {
    const operands: Record<string, fc.Arbitrary<unknown>> = {
      in: fc.array(fc.jsonValue()),
      nin: fc.array(fc.jsonValue()),
      exists: fc.boolean(),
      starts_with: fc.string(),
      ends_with: fc.string(),
    };
    const filter = fc.constantFrom(...filterOperators).chain((operator) =>
      fc.record({
        field: fc.constant('a.b[0]'),
        operator: fc.constant(operator),
        value: operands[operator] ?? fc.oneof(fc.string(), fc.integer()),
      }),
    );
    fc.assert(
      fc.property(filter, (given) => {
        const stored = webhookFilters.parse(JSON.parse(JSON.stringify([given])))[0]!;
        expect(toFilter(toFilterDraft(stored))).toEqual(stored);
      }),
    );
  });
});

describe('the draft of an inbound webhook', () => {
  it('creates a valid webhook', () => {
    expect(inboundWebhookCreation.safeParse(toSettings({ ...emptyDraft, name: 'x' })).success).toBe(true);
  });

  it('changes nothing without edits', () => {
    const patch = inboundWebhookUpdate.parse(toPatch(toDraft(inboundExample), inboundExample));
    expect(inboundExample).toMatchObject(patch);
  });

  it('removes fields that are no longer mapped', () => {
    const draft = toDraft(inboundExample);
    const patch = toPatch({ ...draft, mapping: draft.mapping.slice(0, 1) }, inboundExample);
    expect(patch.field_mapping).toEqual({
      short_description: inboundExample.field_mapping.short_description,
      priority: null,
    });
  });

  it('offers each field once', () => {
    expect(listFreeFields(emptyDraft)).not.toContain('priority');
    expect(listFreeFields({ ...emptyDraft, mapping: [] })).toContain('priority');
  });
});

describe('toPresetDraft', () => {
  it('leaves the requirement of a signature to the user', () => {
    expect(toPresetDraft('alertmanager')).not.toHaveProperty('secret_enabled');
  });

  it.each(inboundPresetNames)('brings a sample of %s that creates an incident', async (preset) => {
    const topic_arn = preset === 'cloudwatch' ? 'arn:aws:sns:eu-central-1:123456789012:alarms' : '';
    const settings = toSettings({ ...emptyDraft, name: 'x', ...toPresetDraft(preset), preset, topic_arn });
    const plan = planEvent(applyPreset(inboundWebhookCreation.parse(settings)), await loadSample(settings));
    expect(plan).toMatchObject({ passed: true, input: { action: 'create_incident' } });
  });

  it('fills in all fields of the form', () => {
    expect(findProblems({ ...emptyDraft, name: 'Prometheus', ...toPresetDraft('alertmanager') })).toEqual({});
  });

  it('keeps filters, and requires the topic of CloudWatch alarms only', () => {
    const filters = [{ field: 'a', operator: 'eq', value: 'b' }] as const;
    const preset = 'cloudwatch' as const;
    const draft = { ...emptyDraft, name: 'AWS', filters, ...toPresetDraft(preset), preset };
    expect(Object.keys(findProblems(draft))).toEqual(['topic_arn']);
    const topic_arn = 'arn:aws:sns:eu-central-1:123456789012:alarms';
    const complete = { ...draft, topic_arn: ` ${topic_arn} ` };
    expect(findProblems(complete)).toEqual({});
    expect(toSettings(complete)).toMatchObject({ topic_arn, filters, when: inboundPresets.cloudwatch.when });
    expect(toSettings({ ...complete, preset: 'grafana' }).topic_arn).toBeNull();
  });
});

describe('the sample payload', () => {
  it('has a value for every path of the webhook, and passes its filters', () => {
    const sample = buildSamplePayload(inboundExample);
    expect(sample).toEqual({
      alert: { name: 'name', host: 'host', severity: 'severity', status: 'firing', fingerprint: 'fingerprint' },
    });
    const plan = planEvent(applyPreset(inboundWebhookCreation.parse(toSettings(toDraft(inboundExample)))), sample);
    expect(plan).toMatchObject({ passed: true, problems: [], dedupKey: 'fingerprint' });
  });

  it.each(['{{$.a[0].b}} {{payload.c}}', '{{a.b}} {{a[1]}} {{a.b.c}}', '{{x[999999]}}', 'no path', '{{__proto__.x}}'])(
    'is built for any template: %s',
    (template) => {
      const sample = buildSamplePayload({ ...inboundExample, field_mapping: { description: template }, filters: [] });
      expect(JSON.parse(JSON.stringify(sample))).toBeDefined();
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );
});

describe('the draft of an outbound webhook', () => {
  it('creates a valid webhook', () => {
    const draft = { ...outbound.emptyDraft, name: 'x', url: 'https://example.com', events: ['sla.breached'] as const };
    expect(outboundWebhookCreation.safeParse(outbound.toSettings(draft)).success).toBe(true);
    expect(outbound.findProblems(draft)).toEqual({});
    expect(Object.keys(outbound.findProblems(outbound.emptyDraft))).toEqual(['name', 'url', 'events']);
  });

  it('keeps headers with hidden values, and removes deleted ones', () => {
    const webhook = { ...outboundWebhookExample, headers: { 'X-Room': '[hidden]', 'X-Old': '[hidden]' } as const };
    const draft = outbound.toDraft(webhook);
    const kept = outbound.toPatch({ ...draft, headers: draft.headers.slice(0, 1) }, webhook);
    expect(kept.headers).toEqual({ 'X-Old': null });
    expect(outboundWebhookUpdate.safeParse(kept).success).toBe(true);
    const typed = outbound.toPatch({ ...draft, headers: [{ name: 'X-Room', value: 'new', kept: false }] }, webhook);
    expect(typed.headers).toEqual({ 'X-Old': null, 'X-Room': 'new' });
  });
});
