import { ciOperations } from '../../contract/cis.ts';
import { listResource } from '../lists/list-records.ts';
import { createRecordReader } from '../lists/record-store.ts';
import { createListSource } from '../lists/wiring.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { createOpenIncidentFinder } from '../records/index-store.ts';
import { createRecord, deleteRecord, getRecord, listHistory } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { ciListing, ciType } from './ci.ts';
import { createCiGraphReader, getCiImpact as getCiImpactUseCase, refineCiQuery } from './ci-graph.ts';
import { newCi, updateCi as updateCiUseCase } from './ci-operations.ts';

export const listCis = () =>
  route(ciOperations.listCis, listResource(createListSource(ciListing), ciListing, ciType, {}, refineCiQuery));

export const createCi = () => {
  const store = createRecordStore();
  return route(
    ciOperations.createCi,
    createRecord('createCi', store, ciType, (body, author, nowMs) => newCi(store, body, author, nowMs)),
  );
};

export const getCi = () => route(ciOperations.getCi, getRecord(createRecordStore(), ciType));

export const updateCi = () => route(ciOperations.updateCi, updateCiUseCase(createRecordStore(), createChanger(ciType)));

export const deleteCi = () => route(ciOperations.deleteCi, deleteRecord(createChanger(ciType)));

export const listCiHistory = () =>
  route(ciOperations.listCiHistory, listHistory(createRecordStore(), ciType, createCursorSeal()));

export const getCiImpact = () => {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  return route(
    ciOperations.getCiImpact,
    getCiImpactUseCase({
      store: createRecordStore(),
      graph: createCiGraphReader(),
      openIncidentIds: createOpenIncidentFinder(dynamodbClient(), RECORDS_TABLE),
      read: createRecordReader(),
    }),
  );
};
