// Runs the template's CloudFront distribution in front of the gateway and the buckets: path patterns, viewer functions,
// response headers policies and compression. It caches only compressed files.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatError, type Log } from '../log.ts';
import type { Properties, Resource, Stack } from '../template/resource-type.ts';
import { UnsupportedTemplate } from '../template/template.ts';
import { BucketOrigin, type ReadObject } from './bucket-origin.ts';
import { type HeaderRule, parseHeadersPolicy } from './headers-policy.ts';
import { compileViewerFunction, type ViewerFunction } from './viewer-function.ts';

export interface DistributionOptions {
  stack: Stack;
  /** Passes a request to the gateway. */
  callGateway: Handle;
  readObject: ReadObject;
  log: Log;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Behavior {
  pattern: RegExp;
  methods: ReadonlySet<string>;
  viewerFunction: ViewerFunction | undefined;
  headers: readonly HeaderRule[];
  origin: BucketOrigin | 'gateway';
}

/** AWS-managed cache policies that this runtime supports. */
const cachePolicies: Readonly<Record<string, { compresses: boolean }>> = {
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': { compresses: false },
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': { compresses: true },
};
const allViewerExceptHost = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

export class Distribution {
  private readonly options: DistributionOptions;
  private readonly behaviors: readonly Behavior[];
  private readonly defaultBehavior: Behavior;

  constructor(resource: Resource, options: DistributionOptions) {
    this.options = options;
    const { DefaultCacheBehavior, CacheBehaviors = [] } = resource.properties.DistributionConfig;
    const problems: string[] = [];
    const parse = (behavior: Properties) => this.parseBehavior(resource, behavior, problems);
    this.behaviors = CacheBehaviors.map(parse);
    this.defaultBehavior = parse(DefaultCacheBehavior);
    if (problems.length > 0) throw new UnsupportedTemplate(problems);
  }

  /** Whether a path pattern matches; the default behaviour serves all other paths. */
  matches(url: string): boolean {
    return this.findBehavior(url) !== undefined;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const behavior = this.findBehavior(request.url ?? '/') ?? this.defaultBehavior;
    // Fast path: nearly every request goes to the gateway, whose behaviors add no headers.
    if (behavior.origin === 'gateway') return this.options.callGateway(request, response);
    for (const { name, value } of behavior.headers) response.setHeader(name, value);
    if (!behavior.methods.has(request.method ?? 'GET')) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('This method is not allowed here.\n');
      return;
    }
    const [path = '/'] = (request.url ?? '/').split('?');
    const result = (await behavior.viewerFunction?.(request, path)) ?? { uri: path };
    if ('statusCode' in result) {
      response.writeHead(result.statusCode, result.headers).end();
      return;
    }
    try {
      await behavior.origin.serve(request, response, result.uri);
    } catch (error) {
      this.options.log.error('A bucket behind CloudFront failed', { error: formatError(error) });
      if (!response.headersSent) response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' });
      response.end('The file cannot be read at the moment.\n');
    }
  }

  private findBehavior(url: string): Behavior | undefined {
    const path = url.split('?', 1)[0] ?? url;
    return this.behaviors.find(({ pattern }) => pattern.test(path));
  }

  private parseBehavior(resource: Resource, behavior: Properties, problems: string[]): Behavior {
    const { stack, readObject } = this.options;
    const where = `${resource.logicalId} (${resource.type}): ${behavior.PathPattern ?? 'the default behavior'}`;
    const policy = cachePolicies[behavior.CachePolicyId];
    if (!policy) problems.push(`${where} has a cache policy that is not supported`);
    if (![undefined, allViewerExceptHost].includes(behavior.OriginRequestPolicyId))
      problems.push(`${where} has an origin request policy that is not supported`);
    const origins: Properties[] = resource.properties.DistributionConfig.Origins;
    const host = String(origins.find(({ Id }) => Id === behavior.TargetOriginId)?.DomainName);
    const bucket = /^(.+)\.s3\.[\w-]+\.amazonaws\.com$/.exec(host)?.[1];
    if (!bucket && !/\.execute-api\./.test(host)) problems.push(`${where} has the origin ${host}`);
    const headers = parseHeadersPolicy(stack, behavior.ResponseHeadersPolicyId);
    const viewerFunction = compileViewerFunction(stack, behavior.FunctionAssociations ?? [], where, problems);
    if (!bucket && (headers.length > 0 || viewerFunction || behavior.AllowedMethods.length < 7))
      problems.push(`${where} changes requests or responses of the gateway, which is not supported`);
    return {
      pattern: toRegExp(behavior.PathPattern ?? '*'),
      methods: new Set(behavior.AllowedMethods),
      viewerFunction,
      headers,
      origin: bucket
        ? new BucketOrigin({
            bucket,
            readObject,
            compresses: behavior.Compress === true && policy?.compresses === true,
          })
        : 'gateway',
    };
  }
}

/** Patterns have * for any characters and ? for one. */
function toRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}
