import type { DynamoDBStreamEvent } from 'aws-lambda';
import { deployedKnowledge } from '../ai/deployed-assistant.ts';
import { type LearnTools, learnFromRecords } from '../ai/learning/learn-from-records.ts';
import { learnedStore } from '../ai/learning/learned-store.ts';
import { resolutionFinder } from '../ai/suggestions/resolution.ts';
import { clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { deployedStore } from '../records/deployed-records.ts';

const { embed, nearest, read } = deployedKnowledge();
const tools: LearnTools = {
  embed,
  learned: learnedStore(deployedStore()),
  resolutionFor: resolutionFinder(nearest, read),
  clock,
  log,
};

export const handler = (batch: DynamoDBStreamEvent) => learnFromRecords(batch, tools);
