// Answers a question with the best passages as they are, each below its heading. The search has ranked the passages and
// dropped irrelevant ones; this file chooses how many belong together.
import type { Document } from './read-prompt.ts';

export interface Quotation {
  text: string;
  /** The cited articles, best first. */
  sources: readonly string[];
}

const maxPassages = 3;
const maxArticles = 2;

/** How close to the best score another passage must be, in the same article and in another one. */
const minSameArticleShare = 0.85;
const minOtherArticleShare = 0.97;

export function quote(documents: readonly Document[]): Quotation | undefined {
  const [best, ...others] = documents
    .filter(({ kind }) => kind === 'article' || kind === 'known error')
    .map((document) => ({ ...document, text: removeInstructions(document.text) }))
    .filter(({ text }) => text !== '');
  if (!best) return undefined;
  const chosen = [best];
  for (const other of others) {
    const minShare = other.source === best.source ? minSameArticleShare : minOtherArticleShare;
    const articles = new Set([...chosen, other].map(({ source }) => source));
    const fits = chosen.length < maxPassages && articles.size <= maxArticles;
    if (fits && other.relevance >= minShare * best.relevance) chosen.push(other);
  }
  const sources = [...new Set(chosen.map(({ source }) => source))];
  // Passages of an article stay in its order: the introduction comes before the steps.
  const ordered = sources.flatMap((source) =>
    chosen.filter((each) => each.source === source).sort((a, b) => a.part - b.part),
  );
  const texts = ordered.map(({ title, text }, index) => {
    const isRepeated = ordered[index - 1]?.title === title;
    return isRepeated || title === '' ? text : `**${title}**\n\n${text}`;
  });
  return { text: texts.join('\n\n'), sources };
}

/** Also matches escaped tags of a prompt (‹data-…). */
const instruction =
  /\b(ignore|disregard|forget)\b.{0,40}\b(instructions?|rules?|prompts?)\b|\bsystem prompt\b|^\s*system:|\bnew rules?:|[<‹]\s*\/?\s*[a-z]+\s*[-_]\s*[a-z0-9]|"toolUse"|\bgive the confidence\b/i;

/** Drops lines that address a model instead of a reader. */
export function removeInstructions(text: string): string {
  const lines = text.split('\n').filter((line) => !instruction.test(line.slice(0, 2_000)));
  return lines.join('\n').trim();
}
