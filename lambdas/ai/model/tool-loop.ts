import type * as z from 'zod';
import { ServiceError } from '../../platform/service-error.ts';
import type { Message, ToolUseBlock } from './message-shapes.ts';
import {
  type Converse,
  type Deadline,
  type ModelRequest,
  type ModelTool,
  type ModelUsage,
  toToolResult,
} from './model.ts';

// A conversation in which the model looks things up by itself: it asks for tools, gets their results, and answers in the
// end. Steps and tools per step are bounded; a bad input goes back to the model as an error. A model that finds no end
// gets no further step, and the caller what was looked up until then: asked again, it would do the same again.

export interface RunnableTool<Schema extends z.ZodType = z.ZodType> extends ModelTool {
  input: Schema;
  run(input: z.output<Schema>): Promise<unknown>;
}

export interface ToolRun {
  name: string;
  input: unknown;
  /** What the tool gave, or why it gave nothing. */
  output: unknown;
  failed: boolean;
}

export interface LoopAnswer extends ModelUsage {
  text: string;
  runs: readonly ToolRun[];
}

/** Each is one call of the model. */
const maxSteps = 6;
const maxToolsPerStep = 4;

const withoutEnd = `No answer was found within ${maxSteps} steps. What was looked up until then is shown; ask something narrower.`;

export async function toolLoop(
  converse: Converse,
  request: Omit<ModelRequest, 'tools' | 'mustUse'>,
  tools: readonly RunnableTool[],
  deadline: Deadline,
): Promise<LoopAnswer> {
  const runs: ToolRun[] = [];
  let messages: readonly Message[] = request.messages;
  let tokensUsed = 0;
  for (let step = 1; ; step++) {
    const answer = await converse({ ...request, messages, tools }, deadline);
    const { modelUsed } = answer;
    tokensUsed += answer.tokensUsed;
    if (answer.toolUses.length === 0) return { text: answer.text, runs, modelUsed, tokensUsed };
    if (step === maxSteps) return { text: withoutEnd, runs, modelUsed, tokensUsed };
    const done = await Promise.all(
      answer.toolUses.map(async (use, place) => ({ use, run: await runTool(tools, use, place) })),
    );
    runs.push(...done.map(({ run }) => run));
    const results = done.map(({ use, run }) => toToolResult(use, run.output, run.failed));
    messages = [...messages, answer.message, { role: 'user', content: results }];
  }
}

async function runTool(
  tools: readonly RunnableTool[],
  { name = '', input }: ToolUseBlock,
  place: number,
): Promise<ToolRun> {
  const failed = (why: string): ToolRun => ({ name, input, output: { error: why }, failed: true });
  const tool = tools.find((each) => each.name === name);
  if (!tool) return failed('There is no such tool.');
  if (place >= maxToolsPerStep) return failed(`At most ${maxToolsPerStep} tools at once.`);
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) {
    return failed(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  }
  try {
    return { name, input: parsed.data, output: await tool.run(parsed.data), failed: false };
  } catch (error) {
    // What callers may know, a model may know; all else ends the request.
    if (error instanceof ServiceError && error.status < 500) return failed(error.message);
    throw error;
  }
}
