// Reads a prompt of the service: instructions, and material between tags such as <data-1f3a… source="KB1" kind="article"> …
// </data-1f3a…>. All tags of a prompt have the name of the first one, so a tag inside the material is text.
import type { ConverseRequest } from '../../local/bedrock/converse.ts';

export interface Document {
  /** The id to cite; empty without one. */
  source: string;
  kind: string;
  title: string;
  /** Position within its source. */
  part: number;
  /** Search score from 0 to 1; 0 without one. */
  relevance: number;
  text: string;
}

export interface Prompt {
  question: string;
  documents: readonly Document[];
  /** False if the prompt asks for a report on the material. */
  hasQuestion: boolean;
  /** Earlier questions, oldest first. */
  earlier: readonly string[];
  /** Empty before the first answer. */
  lastAnswer: string;
}

const openingTag = /<([a-z]+-[0-9a-f]{8,64})(?:\s+[a-z_]+="[^"]*")*\s*>/;

export function readPrompt({ messages }: ConverseRequest): Prompt {
  const texts = messages.flatMap(({ role, content }) =>
    content.flatMap(({ text = '' }) => (text ? [{ role, text }] : [])),
  );
  const userTexts = texts.filter(({ role }) => role === 'user').map(({ text }) => splitText(text));
  const { documents = [], rest = '' } = userTexts.at(-1) ?? {};
  const question = documents.find(({ kind }) => kind === 'question');
  return {
    question: question?.text ?? rest,
    documents: documents.filter((each) => each !== question),
    hasQuestion: question !== undefined || documents.length === 0,
    earlier: userTexts.slice(0, -1).map((each) => each.documents[0]?.text ?? each.rest),
    lastAnswer: texts.findLast(({ role }) => role === 'assistant')?.text ?? '',
  };
}

function splitText(text: string): { documents: Document[]; rest: string } {
  const name = openingTag.exec(text)?.[1];
  if (!name) return { documents: [], rest: text };
  const documents: Document[] = [];
  const document = new RegExp(`<${name}((?:\\s+[a-z_]+="[^"]*")*)\\s*>\\n?([\\s\\S]*?)\\n?</${name}>`, 'g');
  const rest = text.replace(document, (_all, about: string, body: string) => {
    documents.push(toDocument(about, body));
    return '';
  });
  return { documents, rest };
}

function toDocument(about: string, text: string): Document {
  const {
    source = '',
    kind = '',
    title = '',
    part,
    relevance,
  } = Object.fromEntries([...about.matchAll(/\s([a-z_]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  return { source, kind, title, part: Number(part) || 0, relevance: Number(relevance) || 0, text };
}
