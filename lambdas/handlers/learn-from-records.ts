import type { DynamoDBStreamEvent } from 'aws-lambda';
import { deployedKnowledge } from '../ai/deployed-assistant.ts';
import { type LearnTools, learnFromRecords } from '../ai/learning/learn-from-records.ts';
import { learnedStore } from '../ai/learning/learned-store.ts';
import { nearestIncidents } from '../ai/suggestions/nearest-incidents.ts';
import { resolutionFinder } from '../ai/suggestions/resolution.ts';
import { clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { remembered } from '../platform/remembered.ts';
import { deployedStore } from '../records/deployed-records.ts';

const { embed, index, read } = deployedKnowledge();
// A resolution of a moment ago may be missed; reading the feed for every record of a batch would cost more than that.
const recentIndex = remembered(index, 2_000, () => clock.now());
const nearest = nearestIncidents(embed, () => recentIndex('learned'));
const tools: LearnTools = {
  embed,
  learned: learnedStore(deployedStore()),
  resolutionFor: resolutionFinder(nearest, read),
  clock,
  log,
};

export const handler = (batch: DynamoDBStreamEvent) => learnFromRecords(batch, tools);
