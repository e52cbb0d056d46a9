import type * as z from 'zod';
import { queryRequest } from '../../../contract/ai-schemas.ts';
import { changeCalendarQuery } from '../../../contract/change-calendar.ts';
import { changeCreation, changeListQuery, changePatch } from '../../../contract/changes.ts';
import { inboundWebhookCreation } from '../../../contract/inbound-webhooks.ts';
import { incidentListQuery } from '../../../contract/incidents.ts';
import { requestListQuery } from '../../../contract/requests.ts';
import { validateFields } from '../../../lambdas/platform/http/request-input.ts';

const backwards = { planned_start: '2028-01-10T22:00:00Z', planned_end: '2028-01-10T20:00:00Z' };
const creation = { created_after: '2026-03-02', created_before: '2026-03-01T23:00:00Z' };

describe('rules across fields', () => {
  it.each([
    ['a new change', changeCreation, { ...backwards, risk: 'huge' }, ['short_description', 'risk', 'planned_end']],
    [
      'a changed change',
      changePatch,
      { ...backwards, nope: 1, assigned_to: 'me' },
      ['nope', 'assigned_to', 'planned_end'],
    ],
    ['a calendar', changeCalendarQuery, { from: '2026-03-02', to: '2026-03-01', days: '3' }, ['days', 'to']],
    ['a long calendar', changeCalendarQuery, { from: '2026-01-01', to: '2027-01-01', days: '3' }, ['days', 'to']],
    ['pages', incidentListQuery, { page: '2', cursor: 'x', state: 'odd' }, ['state', 'page']],
    ['both ends of creation', incidentListQuery, { ...creation, limit: '0' }, ['limit', 'created_before']],
    ['creation of changes', changeListQuery, { ...creation, risk: 'huge' }, ['risk', 'created_before']],
    ['creation and pages', requestListQuery, { ...creation, page: '1', cursor: 'x' }, ['page', 'created_before']],
    ['two questions', queryRequest, { query: 'a', question: 'b', model: 'big' }, ['model', 'query']],
    ['no question', queryRequest, { model: 'big' }, ['model', 'query']],
    [
      'a filter',
      inboundWebhookCreation,
      { name: '', filters: [{ field: '', operator: 'in', value: 1 }] },
      ['name', 'filters[0].field', 'filters[0].value'],
    ],
  ])('are listed together with all other problems: %s', (_name, schema, value, fields) => {
    expect(listProblemFields(schema, value)).toEqual(expect.arrayContaining(fields));
  });

  it.each([
    ['a time that is none', changeCreation, { ...backwards, planned_end: 'noon' }, 'planned_end'],
    ['a body that is none', changeCreation, 'change', 'body'],
    ['nothing', changePatch, null, 'body'],
    [
      'an unknown operator',
      inboundWebhookCreation,
      { filters: [{ field: 'a', operator: 'is' }] },
      'filters[0].operator',
    ],
  ])('are skipped if their own fields are invalid: %s', (_name, schema, value, field) => {
    expect(listProblemFields(schema, value).filter((each) => each === field)).toHaveLength(1);
  });

  it.each([
    ['a window that is open', changePatch, { planned_start: backwards.planned_start, planned_end: null }],
    ['one end of creation', incidentListQuery, { created_before: '2026-03-01' }],
    ['an empty span of creation', incidentListQuery, { created_after: '2026-03-01', created_before: '2026-03-01' }],
  ])('accept valid combinations: %s', (_name, schema, value) => {
    expect(listProblemFields(schema, value)).toEqual([]);
  });
});

function listProblemFields(schema: z.ZodType, value: unknown): string[] {
  return validateFields(schema, value, 'body').problems.map(({ field }) => field);
}
