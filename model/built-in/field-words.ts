// Fields by their names, for questions whose words the model does not know.

export const fieldWords: Readonly<Record<string, RegExp>> = {
  owner: /\b(?:owner|who owns)\b/i,
  created_by: /\b(?:author|who wrote)\b/i,
  location: /\blocation\b|^\s*where (?:is|are)\b/i,
  class: /\bclass\b/i,
  environment: /\benvironment\b/i,
  priority: /\bprio\w{0,8}\b|\bp\d\b/i,
  category: /\bcategory\b/i,
  subcategory: /\bsub-?category\b/i,
  impact: /\bimpact\b/i,
  urgency: /\burgency\b/i,
  risk: /\brisk\b/i,
  ip_address: /\bip(?: address)?\b/i,
  requested_by: /\brequester\b|\bwho requested\b/i,
  planned: /\bplanned\b/i,
  opened_by: /\breporter\b/i,
  assigned_to: /\bassignee\b|\b(?:implement|handl)ing\b/i,
  assignment_group: /\bteam\b/i,
  acknowledged: /\back(?:ed|nowledged)?\b/i,
  problem: /\bproblem\b/i,
  workaround: /\bwork-?arounds?\b/i,
  cause: /\broot cause\b/i,
  backout_plan: /\bback-?out plan\b/i,
  test_plan: /\btest plan\b/i,
  implementation_plan: /\bimplementation plan\b/i,
  work_notes_count: /\b(?:how many|number of) (?:work )?notes\b/i,
  notes: /\bnotes?\b/i,
};

/** The model gives these the label of a similar field. */
export const exactField = /\b(?:impact|urgency|sub-?category|work-?arounds?|(?:how many|number of) (?:work )?notes)\b/i;

/** The words of a question that name one of the fields. */
export function findFieldWords(question: string, fields: readonly string[]): string[] {
  return fields.flatMap((field) => fieldWords[field]?.exec(question)?.[0].split(/[\s-]/) ?? []);
}
