// Words with a meaning of their own must be expressed by the plan. The answer begins with those that are not, so that it is
// not silently about something else.
import type { Reading } from './reading.ts';

/**
 * The words, and the parts of a plan that express them. A row with a third column matters only to plans
 * with such a part: "opened" says nothing in a list, but contradicts a list of those that were resolved.
 */
const meanings: readonly (readonly [words: RegExp, parts: RegExp, matters?: RegExp])[] = [
  [
    /^(?:open(?:ed)?|rais(?:e|ed|es|ing)|report(?:ed|s)?|log(?:ged|s)?|creat(?:e|ed|es)|filed|submit(?:s|ted)?)$/,
    /^(?:created|opened_by|requested_by|created_by|state=new|field=(?:created|opened|requested)|by=(?:opened|requested))/,
    /^(?:resolved|assigned_to)$/,
  ],
  [
    /^(?:resolved?|closed?|fix(?:ed)?|solved?|finish(?:ed)?|completed?|fulfilled)$/,
    /^(?:resolved|state|measure|planned|field=(?:res|closed|duration|state|history|cause)|by=(?:assigned_to|resolved))/,
    /^(?:created|assigned_to|opened_by)$/,
  ],
  [/^(?:updated?|edit(?:ed)?|modified|touch(?:ed)?)$/, /^(?:updated|sort=updated|field=(?:updated|history|notes))/],
  [
    /^(?:fast|slow|quick|long|short|high|low|old|bigg)(?:er|ly)?$/,
    /^(?:measure|vs|by|created|updated|field=(?:duration|created_at|due|priority))/,
  ],
  [/^(?:newest|latest|top|first)$/, /^(?:list|by|sort|order|limit)/],
  [
    /^(?:fast|slow|quick|long|short|high|low|bigg|few|larg|small|bus)i?est$/,
    /^(?:by|sort|order|interval|failing|priority)/,
  ],
  [/^oldest$/, /^(?:order|sort)/],
  [/^(?:most|least|fewest)$/, /^(?:by|sort|order|interval|failing)/],
  [/^(?:average|avg|mean|median|typical(?:ly)?)$/, /^(?:measure|interval|median)/],
  [/^(?:often|rate|share|percent(?:age)?|proportion)$/, /^(?:share|measure=(?:sla|reopened)|webhooks|field=reopen)/],
  [
    /^(?:depend\w*|downstream|upstream|impact(?:ed)?|affect(?:ed|s|ing)?|rel(?:y|ies))$/,
    /^(?:depends_on|needed_by|ci|by=ci|field=(?:impact|ci)|text)/,
  ],
  [/^(?:breach\w*|slas?|deadlines?|due|overdue|targets?)$/, /^(?:sla|measure=sla|field=due|sort=sla)/],
  [/^(?:fail(?:s|ed|ing|ures?)?|errors?)$/, /^(?:failing|webhooks|text|known_error)/],
  [/^(?:un)?ack(?:ed|nowledged?)?$/, /^(?:acknowledged|measure=acknowledge|field=acknowledged)/],
  [/^(?:assign(?:ed|ees?)|responsible)$/, /^(?:assign|missing|owner|by=assign|field=(?:assign|owner))/],
  [/^(?:own(?:ed|s|ers?)|belong(?:s|ing)?)$/, /^(?:owner|assign|missing|ci|name|by=|field=(?:owner|assign))/],
  [/^(?:approv\w*|reject\w*|cab)$/, /^(?:state|field=(?:decision|state))/],
  [/^(?:planned|scheduled?|upcoming)$/, /^(?:planned|sort=planned|field=planned|oncall|created)/],
  [/^reopen\w*$/, /^(?:reopened|measure=reopened|field=reopen|state)/],
  [/^(?:more|fewer|less|better|worse|compared?)$/, /^vs/],
  [/^than$/, /^(?:vs|created|updated|planned|sla_breach|resolved)/],
  [/^(?:until|next|shifts?|pager|phone|rota)$/, /^(?:oncall|planned|created|sla_breach)/],
  [/^(?:events?|inactive|disabled|off|deliver(?:y|ies|ed)|posts?|sends?)$/, /^webhooks/],
  [/^(?:author|written|wrote|writes?)$/, /^(?:created_by|field=created_by|by=created_by)/],
  [/^(?:not|never)$/, /^(?:sla=ok|not|missing)/],
  [/^(?:capacity|holidays?|vacation|sick|lunch|cost\w*|damage|downtime|duplicates?|quality)$/, /^text/],
];

export const hasOwnMeaning = (word: string): boolean => meanings.some(([words]) => words.test(word.toLowerCase()));

/** Words that rank or average. Their labels may stand for less: "the slowest ticket" may have that of one ticket. */
export function listRankingWords(question: string): string[] {
  const found = question.matchAll(
    /(?<!\bat )\b(?:most|least|average|avg|median|(?:fast|slow|quick|long|short|high|low|bigg|few|larg|small|old)est)\b(?! (?:recent|of\b))/gi,
  );
  return [...found].map(([word]) => word);
}

/** Whether the plan expresses the word, or the word does not matter to it. */
export function isExpressed(word: string, kind: string, reading: Reading): boolean {
  const parts = listParts(kind, reading);
  const has = (pattern: RegExp) => parts.some((part) => pattern.test(part));
  const text = word.toLowerCase();
  const isName = parts.some((part) => part === text || part.endsWith(`=${text}`));
  return (
    isName ||
    meanings.some(([words, needed, matters]) => words.test(text) && (has(needed) || (matters && !has(matters))))
  );
}

function listParts(kind: string, reading: Reading): string[] {
  const { filters, measures, groupBy, fields, flags, interval, sort, order, limit, other } = reading;
  const named = { ...filters, ...(filters.not as object), ...other };
  const isList = measures.length + groupBy.length === 0 && !interval && !flags.has('count');
  return [
    kind,
    ...Object.entries(named).flatMap(([name, value]) => [name.replace(/_(?:after|before)$/, ''), `${name}=${value}`]),
    ...measures.map((name) => `measure=${name}`),
    ...groupBy.map((name) => `by=${name}`),
    ...fields.map((name) => `field=${name}`),
    ...flags,
    ...(interval ? ['interval'] : []),
    ...(sort ? [`sort=${sort}`] : []),
    ...(order ? ['order'] : []),
    ...(limit ? ['limit'] : []),
    ...(other ? ['vs'] : []),
    ...(isList ? ['list'] : []),
  ];
}
