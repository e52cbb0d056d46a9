import { eventTypes } from '../../contract/events.ts';
import { operations } from '../../contract/routes.ts';
import { getApi } from '../support/incidents.ts';
import { random } from '../support/random.ts';
import { aReceiver } from '../support/receivers.ts';
import type { Service } from '../support/service.ts';
import { listConsumerFaults, runConsumerFault } from './consumer-faults.ts';
import { type Fault, type FaultResult, formatFault } from './fault.ts';
import { findBrokenInvariants } from './invariants.ts';
import { listOperationFaults, runOperationFault } from './operation-faults.ts';
import { keptWebhook } from './requests.ts';

export interface FaultReport {
  findings: string[];
  faults: number;
  /** Faults whose call was not made, not even by a function that started anew. */
  missed: string[];
}

interface FaultOptions {
  seed: number;
  maxCases: number;
  /** Only faults whose description has this text, such as the name of a function. */
  only?: string;
  onProgress?(line: string): void;
}

/** A smaller number of cases takes fewer operations, because each one is first sent without a fault. */
export async function injectFaults(
  service: Service,
  { seed, maxCases, only = '', onProgress = () => {} }: FaultOptions,
): Promise<FaultReport> {
  const results: FaultResult[] = [];
  const add = (result: FaultResult) => {
    results.push(result);
    if (result.finding) onProgress(result.finding);
  };
  const receiver = await aReceiver();
  const api = await getApi(service, 'admin');
  await api.post('/webhooks/outbound', { name: keptWebhook, url: receiver.url, events: [...eventTypes] });
  const isWanted = (fault: Fault) => formatFault(fault).includes(only);
  const consumerFaults = shuffle((await listConsumerFaults(service)).filter(isWanted), seed).slice(0, maxCases / 4);
  for (const [index, fault] of consumerFaults.entries()) {
    add(await runConsumerFault(service, fault));
    if (index % 20 === 19) onProgress(`${index + 1} of ${consumerFaults.length} faults of consumers`);
  }
  const sent = shuffle(operations, seed).slice(0, maxCases);
  const operationFaults = (await listOperationFaults(service, sent)).filter(({ fault }) => isWanted(fault));
  const chosen = shuffle(operationFaults, seed).slice(0, maxCases);
  for (const [index, fault] of chosen.entries()) {
    add(await runOperationFault(service, fault));
    if (index % 100 === 99) onProgress(`${index + 1} of ${chosen.length} faults of operations`);
  }
  await service.advance('1h');
  const delivered = receiver.received.map(({ body }) => body);
  const broken = await findBrokenInvariants(service, delivered);
  await receiver.stop();
  return {
    findings: [...results.flatMap(({ finding }) => finding ?? []), ...broken],
    faults: results.length,
    missed: results.filter(({ wasHit }) => !wasHit).map(({ fault }) => formatFault(fault)),
  };
}

function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const choices = random(seed);
  return items
    .map((item) => ({ item, place: choices.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
