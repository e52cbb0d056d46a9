// The answer of a model that cannot write: the best passages as they stand, each under its heading. The search has ranked
// them and decided whether they are worth showing, so this only chooses how many belong together.
import type { Document } from './documents.ts';

export interface Quotation {
  text: string;
  /** The cited articles, best first. */
  sources: readonly string[];
}

const maxPassages = 3;
const maxArticles = 2;

/** Another passage of the same article, or of another one, belongs to the answer when it scores nearly as well. */
const sameArticleShare = 0.85;
const otherArticleShare = 0.97;

export function quote(documents: readonly Document[]): Quotation | undefined {
  const [first, ...others] = documents
    .filter(({ kind }) => kind === 'article')
    .map((document) => ({ ...document, text: withoutOrders(document.text) }))
    .filter(({ text }) => text !== '');
  if (!first) return undefined;
  const chosen = [first];
  for (const other of others) {
    const share = other.source === first.source ? sameArticleShare : otherArticleShare;
    const sources = new Set([...chosen, other].map(({ source }) => source));
    if (chosen.length === maxPassages || sources.size > maxArticles) continue;
    if (other.relevance >= share * first.relevance) chosen.push(other);
  }
  const sources = [...new Set(chosen.map(({ source }) => source))];
  // In the order in which they were written: a reader meets the introduction before the steps.
  const ordered = sources.flatMap((source) =>
    chosen.filter((each) => each.source === source).sort((a, b) => a.part - b.part),
  );
  const text = ordered.map(({ title, text: body }, place) => {
    const isRepeated = ordered[place - 1]?.title === title;
    return isRepeated || title === '' ? body : `**${title}**\n\n${body}`;
  });
  return { text: text.join('\n\n'), sources };
}

/** Also tags of the prompt, which the fence has written with another bracket. */
const order =
  /\b(ignore|disregard|forget)\b.{0,40}\b(instructions?|rules?|prompts?)\b|\bsystem prompt\b|^\s*system:|\bnew rules?:|[<‹]\s*\/?\s*[a-z]+\s*[-_]\s*[a-z0-9]|"toolUse"|\bgive the confidence\b/i;

/** Lines that address a model instead of a reader are left out of quotations. */
export function withoutOrders(text: string): string {
  const lines = text.split('\n').filter((line) => !order.test(line.slice(0, 2_000)));
  return lines.join('\n').trim();
}
