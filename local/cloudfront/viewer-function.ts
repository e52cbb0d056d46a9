// Runs CloudFront Functions on viewer requests. They come from the template, so they are trusted. A separate context gives
// them the JavaScript language but no Node.js APIs, as in CloudFront.
import type { IncomingMessage } from 'node:http';
import { createContext, Script } from 'node:vm';
import type { Properties, Stack } from '../template/resource-type.ts';

export type ViewerFunction = (request: IncomingMessage, uri: string) => Promise<ViewerResult>;

export type ViewerResult = { uri: string } | { statusCode: number; headers: Record<string, string> };

export function compileViewerFunction(
  stack: Stack,
  associations: readonly Properties[],
  where: string,
  problems: string[],
): ViewerFunction | undefined {
  const [association] = associations;
  if (!association) return undefined;
  if (associations.length > 1 || association.EventType !== 'viewer-request')
    problems.push(`${where} has functions for other events than viewer-request`);
  const found = stack
    .findByType('AWS::CloudFront::Function')
    .find(({ attributes }) => attributes.FunctionARN === association.FunctionARN);
  if (!found) throw new Error(`the template has no function ${association.FunctionARN}`);
  return compile(String(found.properties.FunctionCode), found.logicalId);
}

function compile(code: string, name: string): ViewerFunction {
  const context = createContext({});
  new Script(code, { filename: name }).runInContext(context);
  const call = new Script('handler(JSON.parse(input))');
  return async (request, uri) => {
    context.input = JSON.stringify(toEvent(request, uri));
    // No timeout option: Node opens file descriptors for it and aborts the process when they run out.
    const result: Properties = await call.runInContext(context);
    if (result.statusCode === undefined) return { uri: String(result.uri) };
    const headers = Object.entries<Properties>(result.headers ?? {}).map(([header, { value }]) => [header, value]);
    return { statusCode: result.statusCode, headers: Object.fromEntries(headers) };
  };
}

function toEvent({ method, headers, url = '/', socket }: IncomingMessage, uri: string) {
  const query = new URLSearchParams(url.slice(uri.length));
  const toValues = (entries: Iterable<[string, unknown]>) =>
    Object.fromEntries([...entries].map(([name, value]) => [name, { value: String(value) }]));
  return {
    version: '1.0',
    context: { eventType: 'viewer-request' },
    viewer: { ip: socket.remoteAddress },
    request: { method, uri, querystring: toValues(query), headers: toValues(Object.entries(headers)), cookies: {} },
  };
}
