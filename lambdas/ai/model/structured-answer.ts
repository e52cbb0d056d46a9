import type * as z from 'zod';
import { ServiceError } from '../../platform/service-error.ts';
import type { Converse, Deadline, ModelRequest, ModelTool, ModelUsage, ToolUse } from './model.ts';

// An answer in a given form: the model must use one tool whose input is the answer. What does not fit the form goes back
// to the model once with the reasons; then the caller is told to try later, never given half an answer.

export interface StructuredRequest<Schema extends z.ZodType> extends Omit<ModelRequest, 'tools' | 'mustUse'> {
  tool: ModelTool & { input: Schema };
}

export interface StructuredAnswer<Value> extends ModelUsage {
  value: Value;
}

const maxAttempts = 2;

export async function structuredAnswer<Schema extends z.ZodType>(
  converse: Converse,
  { tool, ...request }: StructuredRequest<Schema>,
  deadline: Deadline,
): Promise<StructuredAnswer<z.output<Schema>>> {
  let messages = request.messages;
  let tokensUsed = 0;
  for (let number = 1; number <= maxAttempts; number++) {
    const answer = await converse({ ...request, messages, tools: [tool], mustUse: tool.name }, deadline);
    tokensUsed += answer.tokensUsed;
    const use = answer.toolUses.find(({ name }) => name === tool.name);
    const parsed = tool.input.safeParse(use?.input);
    if (parsed.success) return { value: parsed.data as z.output<Schema>, modelUsed: answer.modelUsed, tokensUsed };
    messages = [...messages, answer.message, { role: 'user', content: [correction(use, parsed.error)] }];
  }
  throw new ServiceError('unavailable', 'The language model did not return a valid answer. Try again.', {
    headers: { 'Retry-After': '5' },
  });
}

function correction(use: ToolUse | undefined, error: z.ZodError) {
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).slice(0, 10);
  if (!use) return { kind: 'text', text: 'Answer by using the tool.' } as const;
  return { kind: 'tool_result', id: use.id, output: { problems }, failed: true } as const;
}
