// The built-in model. It does not understand language: it quotes the passages that the search ranked best, fills forms
// from the material, and plans tool calls with a small grammar. Everything it says stands in the material or in the
// result of a tool. It is no match for a language model, and its name says what it is.
import { randomBytes } from 'node:crypto';
import type { ConverseAnswer, ConverseModel, ConverseRequest, ToolSpec } from '../converse.ts';
import { conversationIn, readPrompt } from './documents.ts';
import { fillSchema, nothingSaid } from './fill-schema.ts';
import { planTools, type ToolCall, withoutWords } from './plan-tools.ts';
import { quote } from './quote.ts';
import { isEmpty, lastResults, readResults } from './read-results.ts';

export const extractiveModelId = 'local.extractive-v1';

export function extractiveModel(): ConverseModel {
  return {
    async converse(request) {
      const turn = nextTurn(request);
      return turn.calls ? toolAnswer(request, turn.calls) : textAnswer(request, turn.text);
    },
  };
}

type Turn = { calls: readonly ToolCall[]; text?: never } | { text: string; calls?: never };

function nextTurn(request: ConverseRequest): Turn {
  const { tools, toolChoice, messages } = request;
  const form = formToFill(tools, toolChoice);
  const prompt = readPrompt(request);
  if (form) return { calls: [{ name: form.name, input: fillSchema(form.schema, prompt) }] };
  const results = lastResults(messages);
  const plan = () => planTools(prompt.question, tools, timeIn(request.system), conversationIn(request));
  if (results.length > 0) {
    // A model remembers nothing between its turns; the same question gives the same plan.
    const { calls, remarks, unknown } = plan();
    const relaxed = calls.flatMap((call) => withoutWords(call, unknown) ?? []);
    const isFirstRound = messages.filter(({ content }) => content.some(({ kind }) => kind === 'tool_use')).length === 1;
    if (isFirstRound && relaxed.length > 0 && results.every(isEmpty)) return { calls: relaxed.map(({ call }) => call) };
    const said = isFirstRound ? remarks : [...remarks, ...relaxed.map(({ remark }) => remark)];
    return { text: [...said, readResults(prompt.question, results)].join('\n\n') };
  }
  if (tools.length > 0) {
    const { calls } = plan();
    if (calls.length > 0) return { calls };
  }
  return { text: quote(prompt.documents)?.text ?? nothingSaid };
}

/** A forced tool is a form for the answer. */
function formToFill(tools: readonly ToolSpec[], choice: ConverseRequest['toolChoice']): ToolSpec | undefined {
  if (typeof choice === 'object') return tools.find(({ name }) => name === choice.tool);
  return choice === 'any' && tools.length === 1 ? tools[0] : undefined;
}

/** The time that the rules speak of; a model has no clock of its own. */
function timeIn(system: string): number {
  const said = /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z\b/.exec(system)?.[0];
  return said ? Date.parse(said) : Date.now();
}

function toolAnswer(request: ConverseRequest, calls: readonly ToolCall[]): ConverseAnswer {
  const content = calls.map(({ name, input }) => {
    return { kind: 'tool_use', id: `tooluse_${randomBytes(12).toString('base64url')}`, name, input } as const;
  });
  return { content, stopReason: 'tool_use', modelId: extractiveModelId, ...usage(request, JSON.stringify(calls)) };
}

function textAnswer(request: ConverseRequest, text: string): ConverseAnswer {
  const most = request.maxTokens * 4;
  const said = text.length > most ? text.slice(0, most) : text;
  const stopReason = said === text ? 'end_turn' : 'max_tokens';
  return { content: [{ kind: 'text', text: said }], stopReason, modelId: extractiveModelId, ...usage(request, said) };
}

function usage({ system, messages, tools }: ConverseRequest, said: string) {
  return { inputTokens: tokensIn(JSON.stringify([system, messages, tools])), outputTokens: tokensIn(said) };
}

/** About four characters each. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
