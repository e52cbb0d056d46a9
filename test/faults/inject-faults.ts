import { eventTypes } from '../../contract/events.ts';
import { operations } from '../../contract/routes.ts';
import { getApi } from '../support/incidents.ts';
import { random } from '../support/random.ts';
import { aReceiver } from '../support/receivers.ts';
import type { Service } from '../support/service.ts';
import { listConsumerFaults, runConsumerFault } from './consumer-faults.ts';
import { findBrokenInvariants } from './invariants.ts';
import { listOperationFaults, runOperationFault } from './operation-faults.ts';
import { keptWebhook } from './requests.ts';

export interface FaultReport {
  findings: string[];
  hit: number;
}

/** A smaller number of cases takes fewer operations, because each one is first sent without a fault. */
export async function injectFaults(
  service: Service,
  { seed, maxCases, onProgress = () => {} }: { seed: number; maxCases: number; onProgress?(line: string): void },
): Promise<FaultReport> {
  const findings: string[] = [];
  const receiver = await aReceiver();
  const api = await getApi(service, 'admin');
  await api.post('/webhooks/outbound', { name: keptWebhook, url: receiver.url, events: [...eventTypes] });
  const consumerFaults = shuffle(await listConsumerFaults(service), seed).slice(0, maxCases / 4);
  for (const [index, fault] of consumerFaults.entries()) {
    await runConsumerFault(service, fault);
    if (index % 20 === 19) onProgress(`${index + 1} of ${consumerFaults.length} faults of consumers`);
  }
  const faults = shuffle(await listOperationFaults(service, shuffle(operations, seed).slice(0, maxCases)), seed).slice(
    0,
    maxCases,
  );
  for (const [index, fault] of faults.entries()) {
    const finding = await runOperationFault(service, fault);
    if (finding) findings.push(finding);
    if (index % 100 === 99) onProgress(`${index + 1} of ${faults.length} faults of operations`);
  }
  await service.advance('1h');
  const delivered = receiver.received.map(({ body }) => body);
  findings.push(...(await findBrokenInvariants(service, delivered)));
  await receiver.stop();
  return { findings, hit: faults.length + consumerFaults.length };
}

function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const choices = random(seed);
  return items
    .map((item) => ({ item, place: choices.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
