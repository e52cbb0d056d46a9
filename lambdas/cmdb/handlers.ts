import { ciOperations } from '../../contract/cis.ts';
import { listResource } from '../lists/list-resource.ts';
import { createRecordReader } from '../lists/record-store.ts';
import { createListSource } from '../lists/wiring.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { getRecord } from '../records/get-record.ts';
import { listHistory } from '../records/list-history.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { ciType } from './ci.ts';
import { ciListing } from './ci-listing.ts';
import { draftCi } from './draft-ci.ts';
import { getCiImpact as getCiImpactUseCase } from './get-ci-impact.ts';
import { openIncidentIds } from './open-incident-store.ts';
import { updateCi as updateCiUseCase } from './update-ci.ts';
import { createCiGraphReader } from './wiring.ts';

export const listCis = () => route(ciOperations.listCis, listResource(createListSource(ciListing), ciListing, ciType));

export const createCi = () => {
  const store = createRecordStore();
  return route(
    ciOperations.createCi,
    createRecord('createCi', store, ciType, (body, author, nowMs) => draftCi(store, body, author, nowMs)),
  );
};

export const getCi = () => route(ciOperations.getCi, getRecord(createRecordStore(), ciType));

export const updateCi = () => route(ciOperations.updateCi, updateCiUseCase(createRecordStore(), createChanger(ciType)));

export const deleteCi = () => route(ciOperations.deleteCi, deleteRecord(createChanger(ciType)));

export const listCiHistory = () =>
  route(ciOperations.listCiHistory, listHistory(createRecordStore(), createCursorSeal()));

export const getCiImpact = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return route(
    ciOperations.getCiImpact,
    getCiImpactUseCase({
      store: createRecordStore(),
      graph: createCiGraphReader(),
      openIncidentIds: openIncidentIds(dynamodbClient(), RECORDS_TABLE),
      read: createRecordReader(),
    }),
  );
};
