// Conversations in the forms of this test, held with the built-in model.
import type { ConverseAnswer, Message, Schema, ToolSpec } from '../../../../local/bedrock/converse.ts';
import { extractiveModel } from '../../../../local/bedrock/extractive/extractive-model.ts';

export const now = 'Now it is Wednesday, 2026-11-11T10:00:00.000Z.';

export function fenceText(text: string, about: Record<string, string> = {}): string {
  const attributes = Object.entries(about).map(([name, value]) => ` ${name}="${value}"`);
  return `<data-0123456789abcdef${attributes.join('')}>\n${text}\n</data-0123456789abcdef>`;
}

export const question = (text: string) => fenceText(text, { kind: 'question' });

export function user(...texts: string[]): Message {
  return { role: 'user', content: [{ text: texts.join('\n\n') }] };
}

export function ask(
  messages: readonly Message[],
  tools: readonly ToolSpec[] = [],
  form?: string,
): Promise<ConverseAnswer> {
  const toolChoice = form === undefined ? 'auto' : { tool: form };
  return extractiveModel().converse({ system: now, messages, tools, toolChoice, maxTokens: 1000, temperature: 0 });
}

/** What the model fills into a form. */
// biome-ignore lint/suspicious/noExplicitAny: a form has whatever fields its test gives it.
export async function fillForm(properties: Record<string, Schema>, ...texts: string[]): Promise<any> {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const { content } = await ask([user(...texts)], [{ name: 'form', description: '', schema }], 'form');
  return content[0]?.toolUse?.input;
}
