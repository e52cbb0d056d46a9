// The built-in model. It quotes the passages that the search ranked best, fills forms from the material, and plans tool
// calls with a small model that labels the words of a question. Its answers contain only text of the material and of tool
// results. It does not replace a language model.
import { randomBytes } from 'node:crypto';
import type { ConverseAnswer, ConverseModel, ConverseRequest } from '../../local/bedrock/converse.ts';
import { fillSchema, noEvidence } from './fill-schema.ts';
import { formatResults, getLastResults, isEmpty } from './format-results.ts';
import { planTools, relaxCall, type ToolCall } from './plan-tools.ts';
import { quote } from './quote.ts';
import { readPrompt } from './read-prompt.ts';
import { createTagger, type TagQuestion } from './tag-question.ts';

const modelId = 'local.extractive-v1';

export function extractiveModel(): ConverseModel {
  const tag = createTagger();
  return { converse: async (request) => toAnswer(request, await respond(request, tag)) };
}

/** Returns tool calls or the text of the answer. */
async function respond(request: ConverseRequest, tag: TagQuestion): Promise<readonly ToolCall[] | string> {
  const { tools, toolChoice, messages, system } = request;
  const prompt = readPrompt(request);
  // The schema of a required tool is a form for the answer.
  const form = tools.find(({ name }) => name === toolChoice);
  if (form) return [{ name: form.name, input: fillSchema(form.schema, prompt) }];
  if (tools.length === 0) return quote(prompt.documents)?.text ?? noEvidence;
  // The model has no state: it plans the same calls in every round of a conversation.
  const { calls, remarks } = await planTools(prompt.question, { tag, tools, nowMs: findTime(system) }, prompt);
  const results = getLastResults(messages);
  if (results.length === 0) return calls;
  const relaxed = calls.flatMap((call) => relaxCall(call) ?? []);
  const isFirstRound = messages.filter(({ content }) => content.some(({ toolUse }) => toolUse)).length === 1;
  if (isFirstRound && relaxed.length > 0 && results.every(isEmpty)) return relaxed.map(({ call }) => call);
  const introduction = isFirstRound ? remarks : [...remarks, ...relaxed.map(({ remark }) => remark)];
  return [...introduction, formatResults(prompt.question, results)].join('\n\n');
}

/** The prompt says what time it is; the clock of the service may differ from this machine's. */
function findTime(system: string): number {
  const iso = /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z\b/.exec(system)?.[0];
  return iso ? Date.parse(iso) : Date.now();
}

const charactersPerToken = 4;

const countTokens = (text: string) => Math.ceil(text.length / charactersPerToken);

function toAnswer(request: ConverseRequest, response: readonly ToolCall[] | string): ConverseAnswer {
  const { system, messages, tools, maxTokens } = request;
  const inputTokens = countTokens(JSON.stringify([system, messages, tools]));
  if (typeof response === 'string') {
    const text = response.slice(0, maxTokens * charactersPerToken);
    const stopReason = text === response ? 'end_turn' : 'max_tokens';
    return { content: [{ text }], stopReason, inputTokens, outputTokens: countTokens(text), modelId };
  }
  const createId = () => `tooluse_${randomBytes(12).toString('base64url')}`;
  const content = response.map((call) => ({ toolUse: { toolUseId: createId(), ...call } }));
  return { content, stopReason: 'tool_use', inputTokens, outputTokens: countTokens(JSON.stringify(response)), modelId };
}
