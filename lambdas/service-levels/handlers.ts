import { slaCalendarOperations } from '../../contract/calendars.ts';
import { slaPolicyOperations } from '../../contract/sla-policies.ts';
import { createFeedStore } from '../lists/feed-store.ts';
import { listResource } from '../lists/list-records.ts';
import { createListSource } from '../lists/wiring.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { replayRejected } from '../records/idempotency.ts';
import { createRecord, getRecord, listHistory } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadSlaMinutes } from '../sla/level-store.ts';
import { importHolidays as importHolidaysUseCase } from './import-holidays.ts';
import {
  calendarKind,
  createDraft,
  createPolicyDraft,
  deleteLevel,
  type LevelTools,
  policyKind,
  updateLevel,
} from './manage-policies.ts';
import { getSlaRecalculation as getSlaRecalculationUseCase } from './recalculate.ts';
import { calendarListing, calendarType, policyType, slaPolicyListing } from './service-level-types.ts';
import { createSweep } from './sweep-kinds.ts';

export const sweepSla = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return createSweep({
    store: createRecordStore(),
    openFeed: (type) => createFeedStore(dynamodbClient(), RECORDS_TABLE, type),
    minutes: loadSlaMinutes(),
    clock,
    log,
  });
};

export const getSlaRecalculation = () =>
  route(slaPolicyOperations.getSlaRecalculation, getSlaRecalculationUseCase(createRecordStore(), loadSlaMinutes()));

export const listSlaPolicies = () =>
  route(
    slaPolicyOperations.listSlaPolicies,
    listResource(createListSource(slaPolicyListing), slaPolicyListing, policyType),
  );

export const createSlaPolicy = () =>
  route(
    slaPolicyOperations.createSlaPolicy,
    replayRejected(
      'createSlaPolicy',
      createRecordStore(),
      createRecord('createSlaPolicy', createRecordStore(), policyType, createPolicyDraft(createTools())),
    ),
  );

export const getSlaPolicy = () => route(slaPolicyOperations.getSlaPolicy, getRecord(createRecordStore(), policyType));

export const updateSlaPolicy = () =>
  route(slaPolicyOperations.updateSlaPolicy, updateLevel(policyKind, createChanger(policyType), createTools()));

export const deleteSlaPolicy = () =>
  route(slaPolicyOperations.deleteSlaPolicy, deleteLevel(policyKind, createChanger(policyType), createTools()));

export const listSlaPolicyHistory = () =>
  route(slaPolicyOperations.listSlaPolicyHistory, listHistory(createRecordStore(), policyType, createCursorSeal()));

export const listSlaCalendars = () =>
  route(
    slaCalendarOperations.listSlaCalendars,
    listResource(createListSource(calendarListing), calendarListing, calendarType),
  );

export const createSlaCalendar = () =>
  route(
    slaCalendarOperations.createSlaCalendar,
    replayRejected(
      'createSlaCalendar',
      createRecordStore(),
      createRecord('createSlaCalendar', createRecordStore(), calendarType, createDraft(calendarKind, createTools())),
    ),
  );

export const getSlaCalendar = () =>
  route(slaCalendarOperations.getSlaCalendar, getRecord(createRecordStore(), calendarType));

export const updateSlaCalendar = () =>
  route(slaCalendarOperations.updateSlaCalendar, updateLevel(calendarKind, createChanger(calendarType), createTools()));

export const deleteSlaCalendar = () =>
  route(slaCalendarOperations.deleteSlaCalendar, deleteLevel(calendarKind, createChanger(calendarType), createTools()));

export const listSlaCalendarHistory = () =>
  route(
    slaCalendarOperations.listSlaCalendarHistory,
    listHistory(createRecordStore(), calendarType, createCursorSeal()),
  );

export const importHolidays = () =>
  route(slaCalendarOperations.importHolidays, importHolidaysUseCase(createChanger(calendarType), createTools()));

function createTools(): LevelTools {
  return { store: createRecordStore(), minutes: loadSlaMinutes() };
}
