// Bedrock's Converse. Any model, inference profile or router of the template is answered by the one model of this
// machine, which says so in every answer: the extractive one that is built in, or one that a server elsewhere offers.
import { AwsError } from '../aws/error.ts';
import type { Access, AwsHttpRequest, AwsHttpResponse, AwsService } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { type ConverseModel, converseOutput, parseConverse } from './converse.ts';
import { extractiveModel } from './extractive/extractive-model.ts';
import { type ForwardOptions, forwardedModel } from './forwarded/forwarded-model.ts';

export interface Bedrock {
  readonly service: AwsService;
}

export interface BedrockOptions {
  environment: StackEnvironment;
  /** A server that speaks OpenAI's chat completions; absent: the built-in model. */
  llm?: ForwardOptions | undefined;
}

export function createBedrock({ environment, llm }: BedrockOptions): Bedrock {
  const model: ConverseModel = llm ? forwardedModel(llm) : extractiveModel();
  return {
    service: {
      signingName: 'bedrock',
      async handle(request, authorize) {
        try {
          const modelId = modelIn(request);
          authorize(getAccess(environment, modelId));
          return await converse(model, request);
        } catch (error) {
          throw asBedrock(error);
        }
      },
    },
  };
}

async function converse(model: ConverseModel, request: AwsHttpRequest): Promise<AwsHttpResponse> {
  const from = performance.now();
  const answer = await model.converse(parseConverse(parseJson(Buffer.from(request.body))));
  const body = JSON.stringify(converseOutput(answer, Math.round(performance.now() - from)));
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function modelIn({ method, path }: AwsHttpRequest): string {
  const [, modelId] = /^\/model\/([^/]+)\/converse$/.exec(path) ?? [];
  if (method === 'POST' && modelId) return decodeURIComponent(modelId);
  throw new AwsError('UnknownOperationException', `The local runtime does not implement bedrock:${method} ${path}.`, {
    status: 404,
  });
}

const profile = /^(us|eu|apac|jp|au|ca|global|us-gov)\.(.+)$/;

/** Through a profile both are needed: the permission on it, and on the model behind it. */
function getAccess({ region, accountId }: StackEnvironment, modelId: string): Access[] {
  const on = (resource: string): Access => ({ action: 'bedrock:InvokeModel', resource });
  if (modelId.startsWith('arn:')) return [on(modelId)];
  const model = (id: string) => on(`arn:aws:bedrock:${region}::foundation-model/${id}`);
  const [, , behind] = profile.exec(modelId) ?? [];
  if (!behind) return [model(modelId)];
  return [on(`arn:aws:bedrock:${region}:${accountId}:inference-profile/${modelId}`), model(behind)];
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) ?? {};
  } catch {
    throw new AwsError('SerializationException', 'The body is not JSON.', { status: 400 });
  }
}

/** Bedrock says no with 403. */
function asBedrock(error: unknown): unknown {
  if (!(error instanceof AwsError) || error.code !== 'AccessDeniedException') return error;
  return new AwsError(error.code, error.message, { status: 403 });
}
