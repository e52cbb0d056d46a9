// What a field of a form asks for, by the words of its name and description, and how sentences look that say it. These
// are ways in which people write in English, whatever the form is for.

export interface Intent {
  /** In the field's name or description. */
  asked: RegExp;
  /** Headings and field names that such sentences stand under. */
  label: RegExp;
  /** How such sentences are worded. */
  wording: RegExp;
  /** Whether other cases may speak for the one that it is about. */
  fromOthers: boolean;
}

export const intents: readonly Intent[] = [
  {
    asked: /\b(root )?causes?\b|\breasons?\b|\bwhy\b/i,
    label: /\b(cause|causes|reason|why|background|what happened)\b/i,
    wording:
      /\b(because|caused? by|due to|root cause|reason|as a result of|turned out|the culprit|triggered by|since the (update|release|change))\b/i,
    fromOthers: true,
  },
  {
    asked: /\bsteps?\b|\bresolution\b|\bwhat to do\b|\bremed|\bactions?\b|\bfix\b/i,
    label: /\b(resolution|repair|fix|steps?|what to do|workaround|solution|install|restore|do this)\b/i,
    wording:
      /^(\*\*)?(add|apply|ask|check|clear|close|configure|delete|disable|empty|enable|extend|free|increase|install|lower|move|open|pause|pin|reboot|remove|rename|renew|replace|reset|restart|restore|roll|rotate|run|send|set|start|stop|switch|turn|unlock|update|use|verify|wait|write)\w*\b/i,
    fromOthers: true,
  },
  {
    asked: /\brisks?\b|\bmay follow\b|\bconsequences?\b/i,
    label: /\b(risk|risks|warning|caution|do not)\b/i,
    wording: /\b(may|might|could|risk|otherwise|unless|will (fail|stop|run out|expire|be lost)|danger|before it)\b/i,
    fromOthers: true,
  },
  {
    asked: /\bopen questions?\b|\bleaves open\b|\bunknown\b|\bmissing\b/i,
    label: /\b(open|unknown|questions?)\b/i,
    wording:
      /\?\s*$|\b(unknown|unclear|not (yet )?(known|clear|confirmed|found)|to be (checked|clarified|confirmed)|waiting for)\b/i,
    fromOthers: false,
  },
  {
    asked: /\bimpact\b|\baffect/i,
    label: /\b(impact|affected|scope|short description|description|urgency)\b/i,
    wording:
      /\b(affect\w*|cannot|can not|unable|unavailable|outage|offline|down|slow|fails?|failed|lost|all (users|colleagues|sites)|users?|customers?|offices?|teams?)\b/i,
    fromOthers: false,
  },
  {
    asked: /\bsummary\b|\bsum up\b|\bkey points?\b|\bfew sentences\b|\bmust know\b/i,
    label: /\b(short description|description|state|resolution|title|subject|summary)\b/i,
    wording: /\S/,
    fromOthers: false,
  },
];

export function intentOf(asked: string): Intent | undefined {
  return intents.find((intent) => intent.asked.test(asked));
}
