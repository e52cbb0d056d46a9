// What a field of a report asks for, by the words of its name and description, and how sentences look that say it.

export interface Intent {
  /** In the field's name or description. */
  asked: RegExp;
  /** Headings and field names of such sentences. */
  label: RegExp;
  /** The wording of such sentences. */
  wording: RegExp;
  fromOwn: boolean;
  fromOthers: boolean;
  /** `by heading`: an article gives reasons for much, so only a section with such a heading counts. */
  fromArticles: boolean | 'by heading';
  /** What to say instead, when nothing says it. */
  fallback?: Intent;
  fallbackText?: string;
}

const remedy: Intent = {
  asked: /\bsteps?\b|\bresolution\b|\bwhat to do\b|\bremed|\bactions?\b|\bfix\b/i,
  label: /^(resolution|repair|fix|steps?|what to do|workaround|solution|do this)\b/i,
  wording:
    /^(\*\*)?(add|apply|ask|check|clear|close|configure|delete|disable|empty|enable|extend|free|increase|install|lower|move|open|pause|reboot|remove|rename|renew|replace|reset|restart|restore|roll|rotate|run|send|set|start|stop|switch|turn|unlock|update|use|verify|wait)\b/i,
  fromOwn: false,
  fromOthers: true,
  fromArticles: true,
};

const intents: readonly Intent[] = [
  {
    asked: /\b(root )?causes?\b|\breasons?\b|\bwhy\b/i,
    label: /^(cause|causes|reason|why|what happened)\b/i,
    wording: /\b(because|caused? by|due to|root cause|reason|as a result of|turned out|the culprit|triggered by)\b/i,
    fromOwn: true,
    fromOthers: true,
    fromArticles: 'by heading',
    fallback: remedy,
    fallbackText: 'The material names no cause. What helped in similar cases:',
  },
  remedy,
  {
    asked: /\brisks?\b|\bmay follow\b|\bconsequences?\b/i,
    label: /^(risk|risks|warning|caution)\b/i,
    wording: /\b(may|might|could|risk|otherwise|unless|will (fail|stop|run out|expire|be lost)|danger)\b/i,
    fromOwn: true,
    fromOthers: false,
    fromArticles: true,
  },
  {
    asked: /\bopen questions?\b|\bleaves open\b|\bunknown\b/i,
    label: /^(open|unknown|questions?)\b/i,
    wording:
      /\?$|\b(unknown|unclear|not (yet )?(known|clear|confirmed|found)|to be (checked|clarified|confirmed)|waiting for)\b/i,
    fromOwn: true,
    fromOthers: false,
    fromArticles: false,
  },
  {
    asked: /\bimpact\b/i,
    label: /^(impact|short description|description)$/i,
    wording:
      /\b(affect\w{0,10}|cannot|unable|unavailable|outage|offline|all (users|colleagues|sites)|customers?|offices?)\b/i,
    fromOwn: true,
    fromOthers: false,
    fromArticles: false,
  },
  {
    asked: /\baffected\b|\bnamed\b/i,
    label: /^(location|site|service|assignment group|ci id)$/i,
    wording: /$^/,
    fromOwn: true,
    fromOthers: false,
    fromArticles: false,
  },
  {
    asked: /\bsummary\b|\bkey points?\b|\bfew sentences\b|\bmust know\b/i,
    label: /^(short description|description|resolution)$/i,
    wording: /$^/,
    fromOwn: true,
    fromOthers: false,
    fromArticles: false,
  },
];

export function findIntent(asked: string): Intent | undefined {
  return intents.find((intent) => intent.asked.test(asked));
}
