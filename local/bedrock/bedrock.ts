// Bedrock's Converse. Any model, inference profile or router of the template is answered by the one model of this
// machine, which says so in every answer: the extractive one that is built in, or one that a server elsewhere offers.
import { AwsError } from '../aws/error.ts';
import type { Access, AwsHttpRequest, AwsService } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { type ConverseModel, converseOutput, parseConverse } from './converse.ts';
import { extractiveModel } from './extractive/extractive-model.ts';
import { type ForwardOptions, forwardedModel } from './forwarded/forwarded-model.ts';

export interface BedrockOptions {
  environment: StackEnvironment;
  /** A server that speaks OpenAI's chat completions; absent: the built-in model. */
  llm?: ForwardOptions | undefined;
}

export function createBedrock({ environment, llm }: BedrockOptions): { readonly service: AwsService } {
  const model: ConverseModel = llm ? forwardedModel(llm) : extractiveModel();
  return {
    service: {
      signingName: 'bedrock',
      async handle(request, authorize) {
        try {
          authorize(getAccess(environment, parseModelId(request)));
        } catch (error) {
          // Bedrock denies access with 403.
          if (!(error instanceof AwsError) || error.code !== 'AccessDeniedException') throw error;
          throw new AwsError(error.code, error.message, { status: 403 });
        }
        const startMs = performance.now();
        const answer = await model.converse(parseConverse(parseJson(Buffer.from(request.body))));
        const body = JSON.stringify(converseOutput(answer, Math.round(performance.now() - startMs)));
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      },
    },
  };
}

function parseModelId({ method, path }: AwsHttpRequest): string {
  const [, modelId] = /^\/model\/([^/]+)\/converse$/.exec(path) ?? [];
  if (method === 'POST' && modelId) return decodeURIComponent(modelId);
  const message = `The local runtime does not implement bedrock:${method} ${path}.`;
  throw new AwsError('UnknownOperationException', message, { status: 404 });
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
