// What an answer has to speak of, or it answers another question: codes, names, what is to be done and to what, how many of
// what. Material that shares all other words with a question is no answer without these: how to repair a mailbox does not
// say how to create one.
import { type Identifiers, identifiersIn } from './identifiers.ts';
import { stem, wordsOf } from './words.ts';

export interface Focus extends Identifiers {
  /** All words that say something. */
  words: readonly string[];
  /** Names, and the things that a question is about. */
  subjects: readonly string[];
  /** What is to be done. */
  action: string | undefined;
  /** Of what there is to be a number; undefined when none is asked for. */
  counted: readonly string[] | undefined;
}

/** All words as `wordsOf` gives them. */
export function focusOf(question: string): Focus {
  const asks = isQuestion.test(question);
  return {
    ...identifiersIn(question),
    words: [...new Set(wordsOf(question))],
    subjects: asks ? [...new Set([...namesIn(question), ...objectsIn(question)])] : [],
    action: asks ? actionIn(question) : undefined,
    counted: countedIn(question),
  };
}

const isQuestion =
  /^\s*(?:and |but |so )?(how|what|which|where|when|who|whom|whose|why|can|may|is|are|am|do|does|should|(?:in|on|at|for|to|within|after) (?:which|what|whom|how))\b/i;

/** "how many clients": clients; "how long": units of time; "what does it cost": money. */
function countedIn(question: string): string[] | undefined {
  const things = /\bhow many ((?:\p{L}+ ?){1,2})/iu.exec(question)?.[1];
  if (things !== undefined) return wordsOf(things);
  if (asksForPrice.test(question)) return currencies;
  const measure = /\bhow (long|soon|often|large|big)\b/i.exec(question)?.[1]?.toLowerCase();
  return measure ? (/large|big/.test(measure) ? sizes : spans) : undefined;
}

const asksForPrice =
  /\bhow much\b.*\b(?:costs?|charged?|pay)\b|\bwhat (?:do|does|did|would|will)\b.*\bcosts?\b|\bwhat (?:is|are) the (?:prices?|costs?|fees?)\b/i;
const currencies = wordsOf('euro eur dollar usd pound gbp franc chf cent');
const spans = wordsOf('second minute hour day week month year quarter min h s ms d');
const sizes = wordsOf('byte kb mb gb tb pixel percent metre dpi');

/** What is written with a capital letter within the sentence. */
function namesIn(question: string): string[] {
  return [...question.matchAll(/(?<=[\p{L}\p{N},]\s)\p{Lu}[\p{L}\p{N}]+/gu)].flatMap(([name]) => wordsOf(name));
}

/** "How do I create …", "how many may I order", "who cleans …": the verb. */
function actionIn(question: string): string | undefined {
  const verb =
    /\b(?:do|can|could|should|may|must|shall|would|am) (?:i|we|you|one)\s+(?:allowed to |have to |best |properly |quickly )?(\p{L}+)/iu.exec(
      question,
    )?.[1] ?? /^\s*who (?:(?:can|may|should|must|has to|is allowed to) )?(\p{L}+)/iu.exec(question)?.[1];
  return verb && wordsOf(verb).find((each) => !vagueActions.has(each));
}

const vagueActions = new Set(
  wordsOf(
    'handle bring take put deal go reach know find look see say ask keep come need try check get give let have use work do make set want',
  ),
);

/** The last word of what follows "the", "a", "of" and the like: "the emergency exit", "for my desk drawer". */
function objectsIn(question: string): string[] {
  const words = question.match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*|[,;:?]/gu) ?? [];
  const found: string[] = [];
  let run: string[] | undefined;
  for (const word of words) {
    if (run && !openers.test(word) && wordsOf(word).length > 0) run.push(word);
    else {
      if (run) found.push(...headOf(run));
      run = openers.test(word) ? [] : undefined;
    }
  }
  // The last word of a question that turns subject and verb round is its verb: "how long does the battery last".
  const turned = /\b(?:do|does|did|can|may|must|should|will|is|are|was|were)\s+(?:the|an?|our|one)\b/i.test(question);
  if (run && !turned) found.push(...headOf(run));
  return found;
}

/** What it is and of what kind: "private laptop". */
function headOf(run: readonly string[]): string[] {
  return run.slice(-2).flatMap(telling);
}

const openers =
  /^(the|an?|my|our|your|his|her|their|this|that|all|each|every|of|for|on|in|at|from|to|with|into|about|new)$/i;

function telling(word: string): string[] {
  if (/ly$/.test(word)) return [];
  return wordsOf(word).filter((each) => !vague.has(each));
}

/** They do not say what a question is about. */
const vague = new Set(
  (
    'handle bring take put deal go reach know find look see say tell ask keep come start begin stop happen need try check ' +
    'client user person people customer colleague caller employee company team office site day time moment thing part ' +
    'kind way place case afar first last incident problem issue error fault bug trouble reason cause list number question answer work'
  )
    .split(' ')
    .map(stem),
);
