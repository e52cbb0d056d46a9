import { Construct } from 'constructs';
import type { Operation, RecordAction } from '../contract/operation.ts';
import type { CatalogItem } from '../contract/requests.ts';
import { type OperationName, routes } from '../contract/routes.ts';
import type { AiAssistance, AiOperationName } from './ai-assistance.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Attachments } from './attachments.ts';
import type { BulkJobs } from './bulk-jobs.ts';
import type { EventLog } from './event-log.ts';
import { type Functions, type Grant, grantAll, type ServiceFunction } from './functions.ts';
import { gradualOperations } from './gradual-deployments.ts';
import type { Identity } from './identity.ts';
import { buildInboundPermissions } from './inbound-webhooks.ts';
import type { ListSnapshots } from './list-snapshots.ts';
import type { Messages } from './messages.ts';
import { buildOnCallPermissions } from './on-call.ts';
import { buildEventPermissions, buildOutboundPermissions } from './outbound-webhooks.ts';
import type { Pages } from './pages.ts';
import type { Records } from './records.ts';
import type { Search } from './search.ts';
import type { Secrets } from './secrets.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

export interface RoutesProps {
  aiAssistance: AiAssistance;
  functions: Functions;
  records: Records;
  bulkJobs: BulkJobs;
  listSnapshots: ListSnapshots;
  search?: Search | undefined;
  identity: Identity;
  apiKeys: ApiKeys;
  secrets: Secrets;
  eventLog: EventLog;
  webhookDelivery: WebhookDelivery;
  messages: Messages;
  pages: Pages;
  attachments: Attachments;
  requestCatalog: readonly CatalogItem[];
}

/** One function per operation of the contract, with exactly the permissions that its use case needs; AI shares one. */
export class Routes extends Construct {
  readonly functions: Readonly<Record<OperationName, ServiceFunction>>;
  /** For requests that match no operation. */
  readonly unmatched: ServiceFunction;

  constructor(scope: Construct, id: string, props: RoutesProps) {
    super(scope, id);
    const { functions, records, aiAssistance } = props;
    const names = (Object.keys(routes) as OperationName[]).filter(
      (name): name is OwnFunction => !(name in aiAssistance.functions),
    );
    const permissions = buildPermissions(props);
    const own = Object.fromEntries(
      names.map((name) => {
        const operation: Operation = routes[name];
        const fn = functions.create({
          name: kebabCase(name),
          capability: operation.capability,
          description: `${operation.summary} (${operation.method} ${operation.path}).`,
          ...(operation.action === 'list' || scans.has(name) ? scanning : {}),
          hasAlias: gradualOperations.has(name),
        });
        if (operation.access !== 'public') records.grantCount(fn);
        permissions[name](fn);
        return [name, fn];
      }),
    ) as Record<OwnFunction, ServiceFunction>;
    this.functions = { ...own, ...aiAssistance.functions };
    this.unmatched = functions.create({
      name: 'unmatched-route',
      capability: 'gateway',
      description: 'Handles CORS preflight requests, and returns 404 or 405 for unknown paths and methods.',
    });
  }
}

type OwnFunction = Exclude<OperationName, AiOperationName>;

/** Scanning the replica is CPU-bound; a whole vCPU comes with this much memory. */
const scanning = { memoryMb: 1_769 };

/** Further operations that scan a replica. */
const scans: ReadonlySet<OperationName> = new Set([
  'getIncidentStatistics',
  'getChangeStatistics',
  'getRequestStatistics',
  'getCiImpact',
  'listProblemIncidents',
  'getChangeCalendar',
  'getChangeCollisions',
  'getOnCall',
  'getSuspectChanges',
]);

type Permissions = Record<OwnFunction, Grant>;

/** The standard operations on records, whose permissions follow from their action. */
type Standard = {
  [Name in OwnFunction]: (typeof routes)[Name] extends { action: RecordAction } ? Name : never;
}[OwnFunction];

/** An operation that is not standard and has no entry here does not compile. */
function buildPermissions({
  records,
  bulkJobs,
  listSnapshots,
  search,
  identity,
  apiKeys,
  secrets,
  eventLog,
  webhookDelivery,
  messages,
  pages,
  attachments,
  requestCatalog,
}: RoutesProps): Permissions {
  const grantNothing = () => {};
  const read = records.grantGet;
  const write = records.grantWrite;
  const readAndWrite = grantAll(records.grantGet, records.grantWrite);
  /** Also looks up people and groups, to warn about unknown ones. */
  const writeWithNames = grantAll(readAndWrite, identity.grantFindPeople, identity.grantListGroups);
  /** Also checks that related records exist. */
  const writeWithReferences = grantAll(writeWithNames, records.grantCheck);
  const readWithParts = grantAll(records.grantGet, records.grantQuery);
  /** Reads a record and the records that it refers to. */
  const readRelated = grantAll(records.grantGet, records.grantBatchGet);
  const list = grantAll(records.grantList, listSnapshots.grantRead, (fn) => search?.grantRead(fn));
  const bulk = grantAll(records.grantWrite, bulkJobs.grantStart);
  const byAction: Record<RecordAction, Grant> = {
    list,
    create: write,
    get: read,
    update: readAndWrite,
    delete: readAndWrite,
    history: readWithParts,
    listNotes: readWithParts,
    createNote: readAndWrite,
  };
  const standard = Object.values<Operation>(routes).flatMap(({ name, action }) =>
    action ? [[name, byAction[action]]] : [],
  );
  return {
    ...(Object.fromEntries(standard) as Pick<Permissions, Standard>),
    getHealth: (fn) => {
      records.grantGet(fn);
      search?.grantRead(fn);
      if (search) records.grantFeed(fn);
    },
    getApiDocument: grantNothing,
    getMe: grantNothing,
    getPreferences: read,
    updatePreferences: readAndWrite,
    getSharedViews: read,
    updateSharedViews: readAndWrite,
    listPeople: identity.grantListPeople,
    listGroups: grantAll(identity.grantListGroups, records.grantQuery),
    ...apiKeys.permissions,
    listAudit: grantAll(eventLog.grantReadAudit, records.grantCursors),
    getIncidentStatistics: list,
    getChangeStatistics: list,
    getRequestStatistics: list,
    createIncident: writeWithReferences,
    reportIncident: readAndWrite,
    updateIncident: writeWithReferences,
    createProblem: writeWithReferences,
    updateProblem: writeWithReferences,
    listProblemIncidents: grantAll(list, records.grantGet),
    getIncidentSla: read,
    ...pages.permissions,
    ...attachments.permissions,
    createCi: readAndWrite,
    getCiImpact: grantAll(list, records.grantGet, records.grantFindAbout),
    getIncidentLinks: readRelated,
    getProblemLinks: readRelated,
    getChangeLinks: readRelated,
    createIncidentLink: grantAll(readRelated, records.grantWrite),
    deleteIncidentLink: readAndWrite,
    bulkIncidents: bulk,
    bulkCis: bulk,
    bulkProblems: bulk,
    createChange: writeWithNames,
    getChangeCalendar: list,
    getChangeCollisions: list,
    updateChange: writeWithNames,
    createRequest: grantAll(readAndWrite, identity.grantFindPeople),
    // A function's variables have at most 4 KB.
    getRequestCatalog: (fn) => fn.lambda.addEnvironment('REQUEST_CATALOG', JSON.stringify(requestCatalog)),
    updateRequest: grantAll(readAndWrite, identity.grantFindPeople),
    createSlaPolicy: readAndWrite,
    createSlaCalendar: readAndWrite,
    importHolidays: readAndWrite,
    getSlaRecalculation: read,
    createProposal: readAndWrite,
    approveProposal: grantAll(readAndWrite, records.grantCheck),
    // Its tools are requests of the caller to the public API.
    callMcp: grantNothing,
    listJobs: records.grantQuery,
    getJob: readWithParts,
    ...messages.buildPermissions(),
    ...buildInboundPermissions({ records, secrets, identity }),
    ...buildOutboundPermissions({ records, secrets, eventLog, webhookDelivery }),
    ...buildEventPermissions({ records, secrets, eventLog, webhookDelivery }),
    ...buildOnCallPermissions({ records, identity }),
  };
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
