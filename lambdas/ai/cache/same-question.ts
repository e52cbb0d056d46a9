import { createHash } from 'node:crypto';

// Two texts that read alike may ask different things: the codes 0x80070005 and 0x80070020 have a cosine of 0.978. Equal
// questions have the same codes, numbers, names, negation and directions. Of texts with one word in the place of another,
// the word matters, unless both mean the same. Where these rules allow it, the encoder reads both texts together.

/** `same`: they differ only in words that phrase a question. `unknown`: the encoder decides. */
export type Verdict = 'same' | 'different' | 'unknown';

export function compareWords(a: string, b: string): Verdict {
  const [one, other] = [readWords(a), readWords(b)];
  if (!isEqualSet(one.numbers, other.numbers)) return 'different';
  if (!agreesInNegation(one, other) || asksElse(one, other)) return 'different';
  const missing = [...one.content].filter((word) => !other.content.has(word));
  const added = [...other.content].filter((word) => !one.content.has(word));
  if (missing.length === 0 && added.length === 0) return compareOrder(one, other);
  const isName = (word: string) => one.names.has(word) || other.names.has(word);
  if ([...missing, ...added].some(isName) || hasOpposites(missing, added)) return 'different';
  return isReplaced(one.all, other.all) ? 'different' : 'unknown';
}

/** "From Oslo to Porto" and "from Porto to Oslo" have the same words, "mail to Oslo" and "mail from Oslo" almost. */
function compareOrder(one: Words, other: Words): Verdict {
  const isTurned =
    !isEqualList([...one.content], [...other.content]) || !isEqualList([...one.numbers], [...other.numbers]);
  if (isTurned) return one.all.some((word) => directions.has(word)) ? 'different' : 'unknown';
  // "To" is also part of a verb.
  const listDirections = ({ all }: Words) => new Set(all.filter((word) => word !== 'to' && directions.has(word)));
  const isAllowed = ({ all }: Words) => all.some((word) => /^(?:may|might|must)$/.test(word));
  const hasVerb = ({ all }: Words) => all.some((word) => auxiliaries.has(word));
  // "Who changed it" and "who may change it" differ; "when may I" and "when can I" do not.
  const isElse = [one, other].some(isAllowed) && ![one, other].every(hasVerb);
  if (isEqualSet(listDirections(one), listDirections(other)) && !isElse) return 'same';
  return isReplaced(one.all, other.all) ? 'different' : 'unknown';
}

interface Words {
  /** In order, with fillers. */
  all: readonly string[];
  /** Stems of the words that are no fillers. */
  content: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Written with a capital letter inside a sentence. */
  names: ReadonlySet<string>;
  /** Of who, when, where, why and how. */
  questions: ReadonlySet<string>;
  isNegated: boolean;
}

const wordPattern = /[\p{L}\p{N}]+(?:[-_.:/\\'][\p{L}\p{N}]+)*/gu;

function readWords(text: string): Words {
  const [content, numbers, names] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const all: string[] = [];
  const questions = new Set<string>();
  let isNegated = false;
  const original = [...text.normalize('NFKC').matchAll(wordPattern)];
  for (const [place, { 0: written, index }] of original.entries()) {
    const word = normalizeText(written);
    const before = text.slice(Math.max(0, index - 3), index);
    const isStart = place === 0 || [...'.!?:\n'].some((mark) => before.includes(mark));
    all.push(word);
    const question = questionWord.exec(word)?.[1];
    if (question) questions.add(question);
    if (/\d/.test(word)) numbers.add(word);
    else if (numberWords.has(word)) numbers.add(String(numberWords.get(word)));
    else if (negations.test(word)) isNegated = true;
    else {
      for (const part of word.split(/[-_.:/\\]/)) {
        if (fillers.has(part) || fillers.has(toStem(part))) continue;
        const stem = synonyms.get(toStem(part)) ?? toStem(part);
        content.add(stem);
        if (!isStart && /^\p{Lu}/u.test(written)) names.add(stem);
      }
    }
  }
  return { all, content, numbers, names, questions, isNegated };
}

/** "Cannot connect" and "connections are refused" agree; "may I" and "may I not" do not. */
function agreesInNegation(one: Words, other: Words): boolean {
  if (one.isNegated === other.isNegated) return true;
  const [negated, plain] = one.isNegated ? [one, other] : [other, one];
  return [...plain.content].some((word) => negatives.test(word) && !negated.content.has(word));
}

/** "Who may pay it" and "how do I pay it" ask different things; "where do I see it" and "how do I see it" do not. */
function asksElse(one: Words, other: Words): boolean {
  const [asked, alsoAsked] = [one.questions, other.questions];
  if (asked.size === 0 || alsoAsked.size === 0 || [...asked].some((word) => alsoAsked.has(word))) return false;
  return asked.has('who') || alsoAsked.has('who') || !(asked.has('how') || alsoAsked.has('how'));
}

function isEqualSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}

function isEqualList(a: readonly string[], b: readonly string[]): boolean {
  return a.every((each, place) => each === b[place]);
}

const auxiliaries = new Set('can could cannot may might must shall should need needs have has allowed'.split(' '));

const directions = new Set('from to into onto by than before after instead over behind via'.split(' '));

function hasOpposites(missing: readonly string[], added: readonly string[]): boolean {
  return opposites.some((group) => missing.some((word) => group.has(word)) && added.some((word) => group.has(word)));
}

/** Whether one run of words stands in the place of another, between the same words. */
function isReplaced(one: readonly string[], other: readonly string[]): boolean {
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start++;
  let end = 0;
  const max = Math.min(one.length, other.length) - start;
  while (end < max && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const [replaced, replacing] = [one.length - start - end, other.length - start - end];
  return start + end >= Math.max(replaced, replacing);
}

/** Ignores case, spaces and the end of the sentence. */
export function normalizeText(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replace(/[’`]/g, "'").replace(/\s+/g, ' ').trim();
  let end = plain.length;
  while (end > 0 && '?!. '.includes(plain[end - 1] ?? 'x')) end--;
  return plain.slice(0, end);
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}

const questionWord = /^(who|when|where|why|how)(?:m|se)?$/;

const negations = /^(not|no|never|none|nobody|nothing|without|except|neither|nor|cannot|unable|\w+n't)$/;

/** Words that may stand for a negation. */
const negatives =
  /^(block|broke|crash|dead|declin|deni|deny|drop|empty|fail|impossib|lack|lock|lose|losing|lost|miss|offline|refus|reject|shut|skip|stop|stuck|unavail)/;

const numberWords = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, index) => [word, index]),
);

/** Words that only phrase a question. */
const fillers = new Set(
  (
    'a about again also am an and any are as at be been being but by can could did do does doing done for from ' +
    'get gets getting give go going got had happen happens has have having hello help hey hi how i if in into is it its just ' +
    'kindly know let like look make may me might mine must my need needs now of ok on or our please pls really s shall she ' +
    'should since so step steps tell thank thanks that the then there these thing this ' +
    'those to too try trying us use want wants was way ways we were what when where which who whom whose why will wish with ' +
    "would you your yours explain show find describe best correct right proper properly quick quickly exactly actually i'd " +
    "currently i'm i've it's they're what's procedure possible"
  ).split(' '),
);

/** By their stems. */
const synonyms = new Map(
  Object.entries({
    repair: 'fix',
    resolv: 'fix',
    solv: 'fix',
    email: 'mail',
    wifi: 'wireless',
    wlan: 'wireless',
    notebook: 'laptop',
    logon: 'login',
    photo: 'picture',
    restart: 'reboot',
  }),
);

/** By their stems. */
const opposites = [
  'add remov delet cancel',
  'open clos',
  'start stop end begin',
  'enabl disabl',
  'install uninstall updat',
  'increas decreas rais lower',
  'allow block forbid reject approv deny',
  'befor after',
  'first second third last next',
  'left right',
  'upload download',
  'import export',
  'internal external',
  'inbound outbound incoming outgoing',
  'send receiv',
  'buy sell order return',
  'lock unlock',
  'connect disconnect',
  'creat delet renam',
  'primary secondary',
  'north south east west',
  'morning evening night',
  'daily weekly monthly quarterly yearly annual',
  'hour minut day week month year',
  'high low',
  'warm hot cold',
  'fast slow',
  'empty full',
  'old new',
  'read write',
  'production stag test',
  'monday tuesday wednesday thursday friday saturday sunday',
  'merg split',
].map((group) => new Set(group.split(' ')));

function toStem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/'s$/, '')
    .replace(/(ies|ied)$/, 'y')
    .replace(/(?<=\w{3})(ing|ed|es|s)$/, '')
    .replace(/(?<=\w{3})e$/, '');
}
