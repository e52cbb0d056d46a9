// Bedrock's Converse operation. One model answers for every model, inference profile and router of the template. The
// response names the model that answered.
import { AwsError } from '../aws/error.ts';
import { type Access, type AwsHttpRequest, type AwsService, parseInput } from '../aws/service.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { type ConverseModel, parseConverse, toConverseOutput } from './converse.ts';

export interface BedrockOptions {
  environment: StackEnvironment;
  model?: ConverseModel | undefined;
}

export function createBedrock({ environment, model = noModel }: BedrockOptions): { readonly service: AwsService } {
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
        const answer = await model.converse(parseConverse(parseInput(request.body)));
        const body = JSON.stringify(toConverseOutput(answer, Math.round(performance.now() - startMs)));
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      },
    },
  };
}

const noModel: ConverseModel = {
  async converse() {
    throw new AwsError('ServiceUnavailableException', 'The local runtime was started without a model.', {
      status: 503,
    });
  },
};

function parseModelId({ method, path }: AwsHttpRequest): string {
  const [, modelId] = /^\/model\/([^/]+)\/converse$/.exec(path) ?? [];
  if (method === 'POST' && modelId) return decodeURIComponent(modelId);
  const message = `The local runtime does not implement bedrock:${method} ${path}.`;
  throw new AwsError('UnknownOperationException', message, { status: 404 });
}

const inferenceProfile = /^(?:us|eu|apac|jp|au|ca|global|us-gov)\.(.+)$/;

/** An inference profile needs permission for the profile and for its model. */
function getAccess({ region, accountId }: StackEnvironment, modelId: string): Access[] {
  const [, profileModel] = inferenceProfile.exec(modelId) ?? [];
  const resources = modelId.startsWith('arn:')
    ? [modelId]
    : [
        ...(profileModel ? [`arn:aws:bedrock:${region}:${accountId}:inference-profile/${modelId}`] : []),
        `arn:aws:bedrock:${region}::foundation-model/${profileModel ?? modelId}`,
      ];
  return resources.map((resource) => ({ action: 'bedrock:InvokeModel', resource }));
}
