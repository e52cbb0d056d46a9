// What an answer has to speak of, or it answers another question: codes, names, what is to be done and to what. Material
// that shares all other words with a question is no answer without these: how to repair a mailbox does not say how to
// create one.
import { plainWords, stem, wordsOf } from './words.ts';

export interface Focus {
  /** Codes and numbers of errors. */
  identifiers: readonly string[];
  /** All other words that say something. */
  words: readonly string[];
  /** Names, and the things that the question is about. */
  subjects: readonly string[];
  /** What is to be done; it must be said of one of the subjects. */
  action: string | undefined;
  devices: readonly string[];
}

/** All words as `wordsOf` gives them. What only tells of something wrong is not held to its words. */
export function focusOf(question: string): Focus {
  const identifiers = identifiersIn(question);
  const devices = devicesIn(question);
  const words = [...new Set(wordsOf(question))].filter((word) => !vague.has(word));
  if (!asks.test(question)) return { identifiers, words, subjects: [], action: undefined, devices };
  const subjects = [...new Set([...namesIn(question), ...objectsIn(question)])];
  return { identifiers, words, subjects, action: actionIn(question), devices };
}

const asks =
  /^\s*(?:and |but |so )?(how|what|which|where|when|who|whom|whose|why|can|may|is|are|do|does|should|(?:in|on|at|for|to|within|after) (?:which|what|whom|how))\b/i;

/** Kinds of things of which each has articles of its own. */
export function devicesIn(text: string): string[] {
  return [...new Set(wordsOf(text))].filter((word) => devices.has(word));
}

const devices = new Set(
  wordsOf(
    'laptop phone tablet printer scanner projector headset camera screen server switch router dock ups television car',
  ),
);

/** Codes look alike and mean different things: material without the code asked for is about another one. */
function identifiersIn(question: string): string[] {
  const written = question.match(/\b(?=[\w.-]*\d)(?=[\w.-]*[a-z])[a-z0-9]+(?:[._-][a-z0-9]+)*\b/gi) ?? [];
  const named = [
    ...question.matchAll(/\b(?:error|code|rule|event|message|sqlstate|bounce)\s+(?:code\s+)?([\w.-]*\d[\w.-]*)/gi),
  ];
  const codes = [...written.filter((each) => !amount.test(each)), ...named.map(([, code]) => code!)];
  return codes.flatMap((code) => plainWords(code));
}

/** 30GB and 2nd say how much, not what. */
const amount = /^\d+(?:[.,]\d+)?(?:st|nd|rd|th|[kmgt]?b(?:it)?|ghz|mhz|hz|ms|s|m|h|d|w|v|a|am|pm)$|^p[1-4]$/i;

/** What is written with a capital letter within the sentence. */
function namesIn(question: string): string[] {
  return [...question.matchAll(/(?<=[\p{L}\p{N},]\s)\p{Lu}[\p{L}\p{N}]+/gu)].flatMap(([name]) => wordsOf(name));
}

/** "How do I create …": the verb. */
function actionIn(question: string): string | undefined {
  const verb =
    /\b(?:how|where|when) (?:do|can|could|should|may|must|shall|would) (?:i|we|you|one)\s+(?:best |properly |quickly )?([\p{L}]+)/iu.exec(
      question,
    )?.[1] ??
    /^\s*(?:can|may|should|must) (?:i|we|you)\s+(\p{L}+)/iu.exec(question)?.[1] ??
    /^\s*who (?:(?:can|may|should|must|has to|is allowed to) )?(\p{L}+)/iu.exec(question)?.[1];
  return verb && wordsOf(verb).find((each) => !vagueActions.has(each));
}

const vagueActions = new Set(
  wordsOf(
    'handle bring take put deal go reach know find look see say ask keep come start begin stop need try check get force move switch turn give let have read write use work do make set add say lead decide agree want',
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

const openers = /^(the|an?|my|our|your|his|her|their|this|that|of|for|on|in|at|from|to|with|into|about|new)$/i;

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
