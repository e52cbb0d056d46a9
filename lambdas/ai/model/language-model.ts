import type { ContentBlock, Message, ToolUseBlock } from '@aws-sdk/client-bedrock-runtime';
import type * as z from 'zod';
import type { ModelAlias } from '../../../contract/models.ts';
import { ServiceError } from '../../platform/service-error.ts';

// The interface to a language model. Messages have the types of Bedrock's Converse API.

export type { Message };

export interface ModelRequest {
  model: ModelAlias;
  /** Contains no text of users or records. */
  system: string;
  messages: readonly Message[];
  tools?: readonly ModelTool[];
  /** The name of the tool that the model must use. By default the model decides. */
  mustUse?: string;
  maxTokens: number;
}

export interface ModelTool {
  name: string;
  description: string;
  input: z.ZodType;
}

export interface ModelUsage {
  /** The provider's id of the model that answered. */
  modelUsed: string;
  /** Input and output tokens of all calls. */
  tokensUsed: number;
}

export interface ModelAnswer extends ModelUsage {
  text: string;
  /** Their inputs are not validated. */
  toolUses: readonly ToolUseBlock[];
  /** Why the answer is not complete, if it is not. */
  cutOff?: 'too_long' | 'withheld';
  /** The answer as the next turn of the conversation. */
  message: Message;
}

/** Runs one turn of a conversation. Throws a 503 ServiceError with Retry-After when the model is unavailable. */
export type Converse = (request: ModelRequest, deadline: Deadline) => Promise<ModelAnswer>;

export interface Deadline {
  remainingMs(): number;
}

/** The gateway times out after 29 s and the function after 28 s. The rest is for reads, writes and the cache. */
const answerTimeoutMs = 24_000;

export function startDeadline(timeoutMs: number = answerTimeoutMs): Deadline {
  const endMs = performance.now() + timeoutMs;
  return { remainingMs: () => Math.max(0, endMs - performance.now()) };
}

export const toUserMessage = (text: string): Message => ({ role: 'user', content: [{ text }] });

export interface StructuredRequest<Schema extends z.ZodType> extends Omit<ModelRequest, 'tools' | 'mustUse'> {
  tool: ModelTool & { input: Schema };
}

const maxAttempts = 2;

/**
 * The model must use one tool, and the tool's input is the answer. Input that does not match the schema goes back to the
 * model once, with the problems.
 */
export async function requestStructuredAnswer<Schema extends z.ZodType>(
  converse: Converse,
  { tool, ...request }: StructuredRequest<Schema>,
  deadline: Deadline,
): Promise<ModelUsage & { value: z.output<Schema> }> {
  let messages = request.messages;
  let tokensUsed = 0;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const answer = await converse({ ...request, messages, tools: [tool], mustUse: tool.name }, deadline);
    tokensUsed += answer.tokensUsed;
    const problems: ContentBlock[] = [];
    for (const use of answer.toolUses) {
      const parsed = tool.input.safeParse(use.input);
      if (parsed.success && use.name === tool.name && !answer.cutOff)
        return { value: parsed.data, modelUsed: answer.modelUsed, tokensUsed };
      const found = parsed.error
        ? formatIssues(parsed.error)
        : [`Use the tool ${tool.name} once, with a short answer.`];
      problems.push(toToolResult(use, { problems: found }, true));
    }
    // A conversation must contain a result for every use of a tool.
    const content = problems.length > 0 ? problems : [{ text: 'Answer by using the tool.' }];
    messages = [...messages, answer.message, { role: 'user', content }];
  }
  throw new ServiceError('unavailable', 'The language model did not return a valid answer. Try again.', {
    headers: { 'Retry-After': '5' },
  });
}

export interface RunnableTool extends ModelTool {
  /** Takes input that matches the schema. */
  run(input: unknown): Promise<unknown>;
}

export interface ToolRun {
  name: string;
  input: unknown;
  /** The result, or the error. */
  output: unknown;
  failed: boolean;
}

/** Each step is one call of the model. */
const maxSteps = 6;
const maxToolsPerStep = 4;

const lastStepText = 'This was the last lookup. Answer now with what you have found, and say what is missing.';

const stepLimitText = `No answer was found within ${maxSteps} steps. What was looked up until then is shown; ask something narrower.`;

const cutOffTexts = {
  too_long: 'The answer ends here, because it became too long. Ask for less.',
  withheld: 'The provider of the language model withheld the rest of this answer.',
};

/**
 * The model uses tools until it answers. Invalid input goes back to the model as an error. Before the last step the model
 * is asked to answer with what it has; a model that looks up more instead leaves the caller with the results so far,
 * because a retry would take the same steps.
 */
export async function runToolLoop(
  converse: Converse,
  request: Omit<ModelRequest, 'tools' | 'mustUse'>,
  tools: readonly RunnableTool[],
  deadline: Deadline,
): Promise<ModelUsage & { text: string; runs: readonly ToolRun[] }> {
  const runs: ToolRun[] = [];
  let messages = request.messages;
  let tokensUsed = 0;
  for (let step = 1; ; step++) {
    const { text, toolUses, cutOff, message, modelUsed, ...usage } = await converse(
      { ...request, messages, tools },
      deadline,
    );
    tokensUsed += usage.tokensUsed;
    const end = (...parts: string[]) => ({
      text: parts.filter(Boolean).join('\n\n'),
      runs,
      modelUsed,
      tokensUsed,
    });
    // The input of a tool that was cut off may be valid and still not be what the model meant.
    if (cutOff) return end(text, cutOffTexts[cutOff]);
    if (toolUses.length === 0) return end(text);
    if (step === maxSteps) return end(text || stepLimitText);
    const done = await Promise.all(
      toolUses.map(async (use, index) => ({ use, run: await runTool(tools, use, index) })),
    );
    runs.push(...done.map(({ run }) => run));
    const content = done.map(({ use, run }) => toToolResult(use, run.output, run.failed));
    if (step === maxSteps - 1) content.push({ text: lastStepText });
    messages = [...messages, message, { role: 'user', content }];
  }
}

async function runTool(
  tools: readonly RunnableTool[],
  { name = '', input }: ToolUseBlock,
  index: number,
): Promise<ToolRun> {
  const fail = (error: string): ToolRun => ({ name, input, output: { error }, failed: true });
  const tool = tools.find((each) => each.name === name);
  if (!tool) return fail('There is no such tool.');
  if (index >= maxToolsPerStep) return fail(`At most ${maxToolsPerStep} tools at once.`);
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return fail(formatIssues(parsed.error).join('; '));
  try {
    return { name, input: parsed.data, output: await tool.run(parsed.data), failed: false };
  } catch (error) {
    // The model may see what a caller may see. Any other error ends the request.
    if (error instanceof ServiceError && error.status < 500) return fail(error.message);
    throw error;
  }
}

function formatIssues({ issues }: z.ZodError): string[] {
  return issues.slice(0, 10).map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
}

function toToolResult({ toolUseId }: ToolUseBlock, output: unknown, failed: boolean): ContentBlock {
  // The SDK accepts plain JSON only: neither undefined nor dates.
  const json = JSON.parse(JSON.stringify({ result: output }));
  return { toolResult: { toolUseId, content: [{ json }], status: failed ? 'error' : 'success' } };
}
