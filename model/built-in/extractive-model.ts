// The built-in model. It quotes the passages that the search ranked best, fills forms from the material, and plans tool
// calls with a small model that labels the words of a question. Its answers contain only text of the material and of tool
// results. It does not replace a language model.
import { randomBytes } from 'node:crypto';
import type { ConverseAnswer, ConverseModel, ConverseRequest } from '../../local/bedrock/converse.ts';
import { describeFilters, type Fields } from './describe-call.ts';
import { fillForm, noEvidence } from './fill-schema.ts';
import { formatResults, getLastResults, type Result, recordFields } from './format-results.ts';
import type { Plan, ToolCall } from './plan.ts';
import { planQuestion } from './plan-question.ts';
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
  if (form) return [{ name: form.name, input: fillForm(form.schema.properties ?? {}, prompt) }];
  if (tools.length === 0) return quote(prompt.documents)?.text ?? noEvidence;
  // The model has no state: it makes the same plan in every round of a conversation.
  const nowMs = findTime(system);
  const plan = await planQuestion(prompt.question, { tag, tools, nowMs }, prompt);
  if (plan.reply !== undefined) return [...plan.remarks, plan.reply].join('\n\n');
  const results = getLastResults(messages);
  if (results.length === 0) return plan.calls;
  const rounds = messages.filter(({ content }) => content.some(({ toolUse }) => toolUse)).length;
  const next = rounds === 1 ? planNext(plan, results) : undefined;
  if (next) return next;
  const { calls, remarks, reading } = plan;
  const planned: Fields = calls[0]?.input ?? {};
  const { kind, filters } = planned;
  const shown = (filters ?? planned) as Fields;
  const context =
    plan.isContinued && kind !== undefined
      ? [`Continuing with ${describeFilters(String(kind), omitOptions(shown))}.`]
      : [];
  return [...remarks, ...context, formatResults(results, reading, nowMs)].join('\n\n');
}

function omitOptions({ kind: _kind, sort: _sort, order: _order, limit: _limit, ...filters }: Fields): Fields {
  return filters;
}

const maxRead = 3;

/** Reads the fields that a list does not have. */
function planNext({ calls, reading }: Plan, results: readonly Result[]): readonly ToolCall[] | undefined {
  const [call] = calls;
  if (call?.name !== 'search') return undefined;
  const records = results.flatMap(({ output }) => (output.records ?? []) as Fields[]);
  const isDeep = reading.fields.some((field) => !((recordFields[field]?.names[0] ?? field) in (records[0] ?? {})));
  if (!isDeep || records.length === 0) return undefined;
  const include = ['notes', 'history'].filter((part) => reading.fields.includes(part));
  return records
    .slice(0, maxRead)
    .map(({ id }) => ({ name: 'get_record', input: { id, ...(include.length > 0 && { include }) } }));
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
