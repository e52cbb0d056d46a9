import { recordSignIns, type SignInEvent } from '../audit/record-sign-ins.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { itemStore } from '../records/item-store.ts';

const { EVENTS_TABLE } = env('EVENTS_TABLE');
const tools = { store: itemStore(dynamodbClient(), EVENTS_TABLE), clock, log };

export const handler = (event: SignInEvent) => recordSignIns(event, tools);
