// The copilot only reads. For an order it explains the way to do it.

export function explainChange(question: string, ids: readonly string[]): string {
  const [, found] = way.find(([verb]) => verb.test(question.toLowerCase())) ?? [];
  const record = ids[0] ?? 'the record';
  const fallback = `Change ${record} on its page in the console, or with \`PATCH /incidents/{id}\` (also \`/changes\`, \`/requests\`)`;
  return `I can only look things up; nothing was changed. ${found ?? fallback}.`;
}

const way: readonly (readonly [verb: RegExp, way: string])[] = [
  [
    /\b(reset|unlock|restart|reboot|install|patch|deploy|switch off|block)\b/,
    'I cannot operate systems or accounts either: create a request or an incident for the responsible team',
  ],
  [
    /\b(create|open|raise|log|file|make|new)\b/,
    'Create it in the console with *New incident*, *New change* or *New request*, or with `POST /incidents`, `/changes` or `/requests`',
  ],
  [
    /\b(approve|reject|decline|sign)\b/,
    'Managers decide on the page of the record, or with `POST /changes/{id}/approve` or `/reject`',
  ],
  [/\b(note|comment)\b/, 'Add the note on the page of the incident, or with `POST /incidents/{id}/work-notes`'],
  [/\b(delete|remove)\b/, 'Managers delete a record on its page, or with `DELETE /incidents/{id}`'],
  [/\b(order|laptop|access)\b/, 'Order it in the console with *New request*, or with `POST /requests`'],
  [
    /\b(article|publish)\b/,
    'Managers write and publish articles on the page *Knowledge*, or with `POST /knowledge/articles`',
  ],
  [/\bwebhook/, 'Managers change webhooks on the page *Webhooks*, or with `PATCH /webhooks/outbound/{id}`'],
  [
    /\b(page|call|wake)\b/,
    'Page somebody on the page of the incident (*Escalation*), or with `POST /incidents/{id}/pages`',
  ],
];
