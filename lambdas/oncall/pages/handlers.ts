import type { SQSEvent } from 'aws-lambda';
import { acknowledgeLinkOperations } from '../../../contract/acknowledge-links.ts';
import { pageOperations } from '../../../contract/pages.ts';
import { pagingLoadOperations } from '../../../contract/paging-load.ts';
import { suspectChangeOperations } from '../../../contract/suspect-changes.ts';
import { changeListing } from '../../changes/change-listing.ts';
import { createCiGraphReader } from '../../cmdb/ci-graph.ts';
import { createKnownNames } from '../../identity/people-directory.ts';
import { createIncidentRules } from '../../incidents/incident.ts';
import { createTaskReports } from '../../jobs/job-machine.ts';
import { createListSource } from '../../lists/wiring.ts';
import { sfnClient } from '../../platform/clients/sfn.ts';
import { sqsClient } from '../../platform/clients/sqs.ts';
import { clock } from '../../platform/clock.ts';
import { env } from '../../platform/env.ts';
import { createPublicPlatform, route } from '../../platform/http/route.ts';
import { log } from '../../platform/log.ts';
import { createSecretBox } from '../../platform/secret-box.ts';
import { createDueFinder } from '../../records/index-store.ts';
import { createChanger, createEventStore, createRecordStore } from '../../records/wiring.ts';
import { loadLevels } from '../../sla/level-store.ts';
import { createMessages } from '../channels/messages.ts';
import { createTargetResolver } from '../schedules/resolve-targets.ts';
import { acknowledgeIncident as acknowledgeIncidentUseCase } from './acknowledge-incident.ts';
import { createAcknowledgeLinks } from './acknowledge-link.ts';
import {
  acknowledgeByLink as acknowledgeByLinkUseCase,
  showAcknowledgement as showAcknowledgementUseCase,
} from './acknowledge-page.ts';
import { checkMaintenance as check } from './check-maintenance.ts';
import { pageWork } from './page.ts';
import { createPageStarter } from './page-machine.ts';
import { createPage as createPageUseCase, getPages as listPagesUseCase } from './page-operations.ts';
import { createPageQueue } from './page-queue.ts';
import { createPageWorker, processPages } from './page-worker.ts';
import { getPagingLoad as getPagingLoadUseCase } from './paging-load.ts';
import { getSuspectChanges as getSuspectChangesUseCase } from './suspect-changes.ts';
import { sweepPages as sweep } from './sweep-pages.ts';

export const acknowledgeIncident = () => {
  const rules = createIncidentRules(loadLevels());
  const store = createRecordStore();
  return route(
    pageOperations.acknowledgeIncident,
    acknowledgeIncidentUseCase(store, createChanger(rules.resource, store), rules),
  );
};

export const createPage = () => {
  const { isPersonKnown } = createKnownNames();
  const tools = { store: createRecordStore(), isPersonKnown, enqueue: createEnqueue() };
  return route(pageOperations.createPage, createPageUseCase(tools));
};

export const getPages = () => route(pageOperations.getPages, listPagesUseCase(createRecordStore(), createEventStore()));

export const getSuspectChanges = () =>
  route(suspectChangeOperations.getSuspectChanges, getSuspectChangesUseCase(createRecordStore(), createChangeTools()));

export const getPagingLoad = () => route(pagingLoadOperations.getPagingLoad, getPagingLoadUseCase(createRecordStore()));

export const showAcknowledgement = () =>
  route(
    acknowledgeLinkOperations.showAcknowledgement,
    showAcknowledgementUseCase(createLinkTools()),
    createPublicPlatform(),
  );

export const acknowledgeByLink = () => {
  const rules = createIncidentRules(loadLevels());
  const tools = { ...createLinkTools(), rules, change: createChanger(rules.resource) };
  return route(acknowledgeLinkOperations.acknowledgeByLink, acknowledgeByLinkUseCase(tools), createPublicPlatform());
};

export const advancePages = () => {
  const { PAGES_MACHINE } = env('PAGES_MACHINE');
  const { store, links } = createLinkTools();
  return createPageWorker({
    store,
    links,
    clock,
    log,
    change: createChanger(createIncidentRules(loadLevels()).resource, store),
    resolver: createTargetResolver(),
    messages: createMessages(),
    enqueue: createEnqueue(),
    start: createPageStarter(sfnClient(), PAGES_MACHINE),
    reports: createTaskReports(sfnClient()),
  });
};

export const checkMaintenance = () => {
  const tools = { ...createChangeTools(), store: createRecordStore(), clock, log };
  return (event: SQSEvent) => processPages(event, ({ page_id }) => check(page_id, tools), log);
};

export const sweepPages = () => {
  const store = createRecordStore();
  const tools = { due: createDueFinder(store, pageWork), store, enqueue: createEnqueue(), clock, log };
  return () => sweep(tools);
};

function createLinkTools() {
  const { ALLOWED_ORIGIN } = env('ALLOWED_ORIGIN');
  const store = createRecordStore();
  return { store, links: createAcknowledgeLinks(store, createSecretBox(), ALLOWED_ORIGIN), clock };
}

function createChangeTools() {
  return { source: createListSource(changeListing), graph: createCiGraphReader() };
}

function createEnqueue() {
  return createPageQueue(sqsClient(), env('PAGES_QUEUE_URL').PAGES_QUEUE_URL);
}
