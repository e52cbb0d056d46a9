import { ciOperations } from '../../contract/cis.ts';
import { ciType } from '../cmdb/ci.ts';
import { draftCi } from '../cmdb/draft-ci.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deployedStore } from '../records/deployed-records.ts';

const store = deployedStore();

export const handler = route(
  ciOperations.createCi,
  createRecord('createCi', store, ciType, (body, author, nowMs) => draftCi(store, body, author, nowMs)),
);
