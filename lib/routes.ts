import { Construct } from 'constructs';
import type { Operation, RecordAction } from '../contract/operation.ts';
import type { CatalogItem } from '../contract/requests.ts';
import { type OperationName, routes } from '../contract/routes.ts';
import type { AiAssistance, AiOperationName } from './ai-assistance.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Attachments } from './attachments.ts';
import type { BulkJobs } from './bulk-jobs.ts';
import type { EventLog } from './event-log.ts';
import type { Functions, ServiceFunction } from './functions.ts';
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

type Permissions = Record<OwnFunction, (fn: ServiceFunction) => void>;

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
  const read = (fn: ServiceFunction) => records.grantGet(fn);
  const write = (fn: ServiceFunction) => records.grantWrite(fn);
  const readAndWrite = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantWrite(fn);
  };
  /** Also looks up people and groups, to warn about unknown ones. */
  const writeWithNames = (fn: ServiceFunction) => {
    readAndWrite(fn);
    identity.grantFindPeople(fn);
    identity.grantListGroups(fn);
  };
  /** Also checks that related records exist. */
  const writeWithReferences = (fn: ServiceFunction) => {
    writeWithNames(fn);
    records.grantCheck(fn);
  };
  const readWithParts = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantQuery(fn);
  };
  /** Reads a record and the records that it refers to. */
  const readRelated = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantBatchGet(fn);
  };
  const list = (fn: ServiceFunction) => {
    records.grantList(fn);
    listSnapshots.grantRead(fn);
    search?.grantRead(fn);
  };
  const bulk = (fn: ServiceFunction) => {
    records.grantWrite(fn);
    bulkJobs.grantStart(fn);
  };
  const byAction: Record<RecordAction, (fn: ServiceFunction) => void> = {
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
    listPeople: (fn) => identity.grantListPeople(fn),
    listGroups: (fn) => {
      identity.grantListGroups(fn);
      records.grantQuery(fn);
    },
    ...apiKeys.permissions,
    listAudit: (fn) => {
      eventLog.grantReadAudit(fn);
      records.grantCursors(fn);
    },
    getIncidentStatistics: list,
    getChangeStatistics: list,
    getRequestStatistics: list,
    createIncident: writeWithReferences,
    reportIncident: readAndWrite,
    updateIncident: writeWithReferences,
    createProblem: writeWithReferences,
    updateProblem: writeWithReferences,
    listProblemIncidents: (fn) => {
      list(fn);
      records.grantGet(fn);
    },
    getIncidentSla: read,
    ...pages.permissions,
    ...attachments.permissions,
    createCi: readAndWrite,
    getCiImpact: (fn) => {
      list(fn);
      records.grantGet(fn);
      records.grantFindAbout(fn);
    },
    getIncidentLinks: readRelated,
    getProblemLinks: readRelated,
    getChangeLinks: readRelated,
    createIncidentLink: (fn) => {
      readRelated(fn);
      records.grantWrite(fn);
    },
    deleteIncidentLink: readAndWrite,
    bulkIncidents: bulk,
    bulkCis: bulk,
    bulkProblems: bulk,
    createChange: writeWithNames,
    getChangeCalendar: list,
    getChangeCollisions: list,
    updateChange: writeWithNames,
    createRequest: (fn) => {
      readAndWrite(fn);
      identity.grantFindPeople(fn);
    },
    // A function's variables have at most 4 KB.
    getRequestCatalog: (fn) => fn.lambda.addEnvironment('REQUEST_CATALOG', JSON.stringify(requestCatalog)),
    updateRequest: (fn) => {
      readAndWrite(fn);
      identity.grantFindPeople(fn);
    },
    createSlaPolicy: readAndWrite,
    createSlaCalendar: readAndWrite,
    importHolidays: readAndWrite,
    getSlaRecalculation: read,
    createProposal: readAndWrite,
    approveProposal: (fn) => {
      readAndWrite(fn);
      records.grantCheck(fn);
    },
    // Its tools are requests of the caller to the public API.
    callMcp: grantNothing,
    listJobs: (fn) => records.grantQuery(fn),
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
