// Reads a prompt of the service: pieces of material between tags such as <data-1f3a… source="KB1" kind="article"> …
// </data-1f3a…>, and instructions around them. Only the first tag's name counts, so a tag inside the material is text.
import type { ConverseRequest } from '../converse.ts';

export interface Document {
  /** The id to cite; empty when the tag has none. */
  source: string;
  kind: string;
  title: string;
  /** Its place within its source. */
  part: number;
  /** The score of the search, from 0 to 1; 0 without one. */
  relevance: number;
  text: string;
}

export interface Prompt {
  question: string;
  documents: readonly Document[];
  /** Whether a question stands among the material; without one, the material itself is to be reported on. */
  hasQuestion: boolean;
  /** Earlier questions, oldest first. */
  earlier: readonly string[];
  /** The latest answer, empty without one. */
  lastAnswer: string;
}

const openingTag = /<([a-z]+-[0-9a-f]{8,64})((?:\s+[a-z_]+="[^"]*")*)\s*>/;

export function readPrompt({ messages }: ConverseRequest): Prompt {
  const texts = messages.flatMap(({ role, content }) =>
    content.flatMap(({ text = '' }) => (text ? [{ role, text }] : [])),
  );
  const asked = texts.filter(({ role }) => role === 'user').map(({ text }) => split(text));
  const { documents = [], rest = '' } = asked.at(-1) ?? {};
  const question = documents.find(({ kind }) => kind === 'question');
  return {
    question: question?.text ?? rest,
    documents: documents.filter((each) => each !== question),
    hasQuestion: question !== undefined || documents.length === 0,
    earlier: asked.slice(0, -1).map((each) => each.documents[0]?.text ?? each.rest),
    lastAnswer: texts.findLast(({ role }) => role === 'assistant')?.text ?? '',
  };
}

function split(text: string): { documents: Document[]; rest: string } {
  const name = openingTag.exec(text)?.[1];
  if (!name) return { documents: [], rest: text };
  const documents: Document[] = [];
  const piece = new RegExp(`<${name}((?:\\s+[a-z_]+="[^"]*")*)\\s*>\\n?([\\s\\S]*?)\\n?</${name}>`, 'g');
  const rest = text.replace(piece, (_all, attributes: string, body: string) => {
    documents.push(toDocument(attributes, body));
    return '';
  });
  return { documents, rest };
}

function toDocument(attributes: string, text: string): Document {
  const read = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  const readNumber = (name: string) => Number(read(name)) || 0;
  return {
    source: read('source') || read('id'),
    kind: read('kind').toLowerCase(),
    title: read('title'),
    part: readNumber('part'),
    relevance: readNumber('relevance'),
    text,
  };
}
