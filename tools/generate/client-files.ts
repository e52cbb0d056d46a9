import { attachmentTypes } from '../../contract/attachment-types.ts';
import { errors } from '../../contract/errors.ts';
import { eventTypes } from '../../contract/events.ts';
import { apiPrefixes, stageName } from '../../contract/http.ts';
import { incidentPatch } from '../../contract/incidents.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/routes.ts';
import { incidentStates, incidentTransitions, linkTypes, priorities, problemStates } from '../../contract/states.ts';
import { formatApi, formatPayloads, formatSchemas } from './client-types.ts';
import { openApiDocument } from './openapi-document.ts';

/** The generated files of the client, by name. */
export function buildClientFiles(): Record<string, string> {
  return { 'operation-table.ts': formatTable(), 'api-types.ts': formatTypes(), 'incident-values.ts': formatValues() };
}

function formatTable(): string {
  return `import type { Api } from './api-types.ts';
import type { OperationTable } from './call-types.ts';

// Generated from the contract by tools/generate/client.ts.

export const apiRoot = '/${stageName}${apiPrefixes[0]}';

export const operationTable = {
${operations.map(formatEntry).join('\n')}
} as const satisfies OperationTable<Api>;
`;
}

/** What programs that read and write records need to know of the contract. */
function formatValues(): string {
  const list = (values: readonly string[]) => `[${values.map((value) => `'${value}'`).join(', ')}]`;
  const transitions = incidentStates.map((state) => `  ${state}: ${list(incidentTransitions[state])},`);
  const types = Object.entries(attachmentTypes).map(([type, extensions]) => `  '${type}': ${list(extensions)},`);
  return `// Generated from the contract by tools/generate/client.ts.

export const incidentStates = ${list(incidentStates)} as const;

export const problemStates = ${list(problemStates)} as const;

export const linkTypes = ${list(linkTypes)} as const;

export const priorities = ${list(priorities)} as const;

export const eventTypes = ${list(eventTypes)} as const;

/** The states that may follow each state. */
export const incidentTransitions = {
${transitions.join('\n')}
} as const satisfies Record<(typeof incidentStates)[number], readonly string[]>;

/** The media types of files that can be attached, with their extensions. */
export const attachmentTypes = {
${types.join('\n')}
} as const;

/** The fields that callers may set. */
export const incidentFields = ${list(Object.keys(incidentPatch.shape))} as const;
`;
}

function formatEntry(operation: Operation): string {
  const { name, method, path, headers } = operation;
  const names = Object.keys(headers?.shape ?? {}).map((header) => `'${header}'`);
  const paging = findPaging(operation);
  const facts = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(names.length > 0 ? [`headers: [${names.join(', ')}]`] : []),
    ...(paging ? [`paging: '${paging}'`] : []),
  ];
  return `  ${name}: { ${facts.join(', ')} },`;
}

/** How a list continues. The table does not compile if a list has no known scheme. */
function findPaging({ responses }: Operation): 'cursor' | 'sequence' | undefined {
  const fields = (responses[200]?.body as { shape?: object } | undefined)?.shape ?? {};
  if (!('data' in fields)) return undefined;
  if ('next_after' in fields) return 'sequence';
  return 'next_cursor' in fields ? 'cursor' : undefined;
}

function formatTypes(): string {
  const document = openApiDocument();
  const codes = Object.keys(errors).map((code) => `'${code}'`);
  return `// Generated from the contract by tools/generate/client.ts.

/** Stable error codes of the service. */
export type ErrorCode = ${codes.join(' | ')};

${formatSchemas(document)}

/** The body of a webhook delivery, by event type. */
${formatPayloads(document)}

/** The types of every operation, by name. */
${formatApi(document)}
`;
}
