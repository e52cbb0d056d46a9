import { calendarOperations } from '../../../contract/schedule-calendar.ts';
import { overrideOperations } from '../../../contract/schedule-overrides.ts';
import { scheduleOperations } from '../../../contract/schedules.ts';
import { createFeedStore } from '../../lists/feed-store.ts';
import { listResource } from '../../lists/list-records.ts';
import { createRecordReader } from '../../lists/record-store.ts';
import { createListSource } from '../../lists/wiring.ts';
import { dynamodbClient } from '../../platform/clients/dynamodb.ts';
import { env } from '../../platform/env.ts';
import { createPublicPlatform, route } from '../../platform/http/route.ts';
import { createRecord, getRecord, listHistory } from '../../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../../records/wiring.ts';
import { createUnknownPeopleFinder } from '../known-people.ts';
import * as calendar from './calendar.ts';
import * as schedules from './manage-schedules.ts';
import * as overrides from './overrides.ts';
import * as shifts from './read-shifts.ts';
import { scheduleResource } from './schedule.ts';
import { scheduleListing } from './schedule-listing.ts';

export const listSchedules = () =>
  route(
    scheduleOperations.listSchedules,
    listResource(createListSource(scheduleListing), scheduleListing, scheduleResource),
  );

export const createSchedule = () =>
  route(
    scheduleOperations.createSchedule,
    createRecord(
      'createSchedule',
      createRecordStore(),
      scheduleResource,
      schedules.createScheduleDraft(createUnknownPeopleFinder()),
    ),
  );

export const getSchedule = () =>
  route(scheduleOperations.getSchedule, getRecord(createRecordStore(), scheduleResource));

export const updateSchedule = () =>
  route(
    scheduleOperations.updateSchedule,
    schedules.updateSchedule(createChanger(scheduleResource), createUnknownPeopleFinder()),
  );

export const deleteSchedule = () =>
  route(
    scheduleOperations.deleteSchedule,
    schedules.deleteSchedule(createChanger(scheduleResource), createRecordStore()),
  );

export const listScheduleHistory = () =>
  route(scheduleOperations.listScheduleHistory, listHistory(createRecordStore(), scheduleResource, createCursorSeal()));

export const getOverrides = () => route(overrideOperations.getOverrides, overrides.getOverrides(createRecordStore()));

export const createOverride = () =>
  route(
    overrideOperations.createOverride,
    overrides.createOverride(createChanger(scheduleResource), createUnknownPeopleFinder()),
  );

export const deleteOverride = () =>
  route(overrideOperations.deleteOverride, overrides.deleteOverride(createChanger(scheduleResource)));

export const swapShifts = () =>
  route(overrideOperations.swapShifts, overrides.swapShifts(createChanger(scheduleResource)));

export const getShifts = () => route(scheduleOperations.getShifts, shifts.getShifts(createRecordStore()));

export const getOnCall = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const feed = createFeedStore(dynamodbClient(), RECORDS_TABLE, scheduleResource.name);
  return route(scheduleOperations.getOnCall, shifts.getOnCall(feed, createRecordReader()));
};

export const createCalendarKey = () => {
  const { ALLOWED_ORIGIN } = env('ALLOWED_ORIGIN');
  return route(
    calendarOperations.createCalendarKey,
    calendar.createCalendarKey(createChanger(scheduleResource), ALLOWED_ORIGIN),
  );
};

export const deleteCalendarKey = () =>
  route(calendarOperations.deleteCalendarKey, calendar.deleteCalendarKey(createChanger(scheduleResource)));

export const getCalendar = () => {
  const { SERVICE_DOMAIN } = env('SERVICE_DOMAIN');
  return route(
    calendarOperations.getCalendar,
    calendar.getCalendar(createRecordStore(), SERVICE_DOMAIN),
    createPublicPlatform(),
  );
};
