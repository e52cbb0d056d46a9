import * as z from 'zod';
import { toUserMessage } from '../model/language-model.ts';
import type { Neighbour } from '../suggestions/votes.ts';
import { createFence, formatDataRules, formatFields, type Passage, toPromptText } from './passage.ts';

// Prompts for the reasons next to suggestions and similar incidents. Which values and incidents are returned is decided
// before; the model only explains it.

const priorityReason = z.strictObject({
  reasoning: z.string().min(1).max(600).meta({ description: 'Why the priority fits, in one or two sentences.' }),
});

const maxShown = 6;

export function buildPriorityPrompt(
  text: string,
  { value, reasoning }: { value: string; reasoning: string },
  neighbours: readonly Neighbour[],
) {
  const cases = neighbours.slice(0, maxShown).map(({ id, facts: { title, priority, minutes } }): Passage => {
    return {
      source: id,
      kind: 'similar case',
      title,
      text: formatFields({ priority, minutes_to_resolution: minutes }),
    };
  });
  const task = `The suggested priority is ${value}: ${reasoning} Explain it for the person who reports the incident.`;
  return buildReasonPrompt(text, cases, task, priorityReason);
}

const exemplarReasons = z.strictObject({
  reasons: z
    .array(z.strictObject({ incident_id: z.string().max(64), reason: z.string().min(1).max(300) }))
    .max(20)
    .meta({ description: 'Per similar case, what it has in common with the new incident and what differs.' }),
});

export function buildExemplarPrompt(
  text: string,
  exemplars: readonly { incident_id: string; description: string; resolution: string }[],
) {
  const cases = exemplars.map(({ incident_id, description, resolution }): Passage => {
    return { source: incident_id, kind: 'similar case', text: formatFields({ description, resolution }) };
  });
  return buildReasonPrompt(text, cases, 'Say in one sentence per case why it is similar.', exemplarReasons);
}

function buildReasonPrompt<Schema extends z.ZodType>(
  text: string,
  cases: readonly Passage[],
  task: string,
  input: Schema,
) {
  const fence = createFence(text, ...cases.map((each) => each.text));
  const parts = [
    'The new incident:',
    fence.enclose(text, { kind: 'new incident' }),
    ...cases.map((passage) => toPromptText(fence, passage)),
    `${task} Answer with the tool \`give_reasons\`.`,
  ];
  return {
    system: `You help the people of an IT service desk.\n${formatDataRules(fence)}`,
    messages: [toUserMessage(parts.join('\n\n'))],
    tool: { name: 'give_reasons', description: 'Returns the reasons.', input },
    maxTokens: 1_024,
  };
}
