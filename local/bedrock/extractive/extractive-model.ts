// The built-in model. It does not understand language: it quotes the passages that the search ranked best, fills forms
// from the material, and plans tool calls with a small model that labels the words of a question. Everything it says stands in the material or in the
// result of a tool. It is no match for a language model, and its name says what it is.
import { randomBytes } from 'node:crypto';
import type { ConverseAnswer, ConverseModel, ConverseRequest } from '../converse.ts';
import { readPrompt } from './documents.ts';
import { fillSchema, nothingSaid } from './fill-schema.ts';
import { planTools, type ToolCall, withoutWords } from './plan-tools.ts';
import { quote } from './quote.ts';
import { isEmpty, lastResults, readResults } from './read-results.ts';
import { questionTagger, type TagQuestion } from './tag-question.ts';

export const extractiveModelId = 'local.extractive-v1';

export function extractiveModel(): ConverseModel {
  const tag = questionTagger();
  return { converse: async (request) => toAnswer(request, await nextTurn(request, tag)) };
}

/** Calls of tools, or the answer. */
async function nextTurn(request: ConverseRequest, tag: TagQuestion): Promise<readonly ToolCall[] | string> {
  const { tools, toolChoice, messages, system } = request;
  const prompt = readPrompt(request);
  // A tool that must be used is a form for the answer.
  const form = typeof toolChoice === 'object' && tools.find(({ name }) => name === toolChoice.tool);
  if (form) return [{ name: form.name, input: fillSchema(form.schema, prompt) }];
  if (tools.length === 0) return quote(prompt.documents)?.text ?? nothingSaid;
  // A model remembers nothing between its turns; the same question gives the same plan.
  const { calls, remarks } = await planTools(prompt.question, { tag, tools, nowMs: findTime(system) }, prompt);
  const results = lastResults(messages);
  if (results.length === 0) return calls;
  const relaxed = calls.flatMap((call) => withoutWords(call) ?? []);
  const isFirstRound = messages.filter(({ content }) => content.some(({ toolUse }) => toolUse)).length === 1;
  if (isFirstRound && relaxed.length > 0 && results.every(isEmpty)) return relaxed.map(({ call }) => call);
  const said = isFirstRound ? remarks : [...remarks, ...relaxed.map(({ remark }) => remark)];
  return [...said, readResults(prompt.question, results)].join('\n\n');
}

/** The time that the rules speak of; a model has no clock of its own. */
function findTime(system: string): number {
  const said = /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z\b/.exec(system)?.[0];
  return said ? Date.parse(said) : Date.now();
}

function toAnswer(
  { system, messages, tools, maxTokens }: ConverseRequest,
  turn: readonly ToolCall[] | string,
): ConverseAnswer {
  const counts = { inputTokens: countTokens(JSON.stringify([system, messages, tools])), modelId: extractiveModelId };
  if (typeof turn !== 'string') {
    const toId = () => `tooluse_${randomBytes(12).toString('base64url')}`;
    const content = turn.map((call) => ({ toolUse: { toolUseId: toId(), ...call } }));
    return { content, stopReason: 'tool_use', ...counts, outputTokens: countTokens(JSON.stringify(turn)) };
  }
  const text = turn.slice(0, maxTokens * charactersPerToken);
  const stopReason = text === turn ? 'end_turn' : 'max_tokens';
  return { content: [{ text }], stopReason, ...counts, outputTokens: countTokens(text) };
}

const charactersPerToken = 4;

function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
