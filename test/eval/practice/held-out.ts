// Questions that nobody looks at while working on the copilot; the planner is not trained with them. `npm run eval -- held-out`
// asks them.
import type { Question } from '../desk/desk.ts';
import {
  all,
  any,
  count,
  counts,
  declinesOrder,
  figure,
  isWarned,
  lasts,
  onDay,
  percent,
  person,
  says,
} from '../desk/judge.ts';
import {
  createdAt,
  first,
  isResolved,
  meanMinutes,
  medianMinutes,
  newest,
  rank,
  toPeriod,
  within,
} from '../desk/truth.ts';

import { list, ofTeam, open, rankBy, reaches, resolvedAt, unanswerable } from './expectations.ts';

export const heldOut: Record<string, Question[]> = {
  'one field': [
    ({ incidents }) => {
      const one = first(newest(incidents));
      return [`Who logged ${one.id}?`, says(...person(one.opened_by))];
    },
    (r) => {
      const one = first(newest(open(r)));
      return [`which team handles ${one.id.toLowerCase()}`, says(one.assignment_group)];
    },
    ({ changes, requests }) => {
      const one = first([...changes, ...requests].filter((each) => each.decision_note && each.state === 'rejected'));
      return [`why was ${one.id} rejected`, says(one.decision_note)];
    },
    ({ changes }) => {
      const one = first(newest(changes));
      return [`when does ${one.id} start`, onDay(String(one.planned_start))];
    },
    ({ requests }) => {
      const one = first(requests);
      return [`whats the status of ${one.id}`, says(one.state)];
    },
    () => ['where is printer-2', says('Lisbon')],
    () => ['is ups-controller healthy', says('degraded')],
    () => ['what is the ip address of web-2', says('10.0.2.2')],
    ({ incidents }) => {
      const one = first(newest(incidents.filter((each) => each.subcategory)));
      return [`category and subcategory of ${one.id} pls`, all(says(one.category), says(one.subcategory))];
    },
    async ({ incidents, notes }) => {
      const one = first(newest(incidents.filter((each) => each.work_notes_count > 0)));
      return [`last note on ${one.id}`, says(first((await notes(one.id)).toReversed()).body.slice(0, 60))];
    },
    (r) => {
      const one = first(newest(open(r).filter((each) => each.priority === 'P1' || each.priority === 'P2')));
      return [`what prio does ${one.id} have`, says(one.priority)];
    },
  ],
  'negation, missing, several': [
    (r) => [
      'how many open incidents were never acknowledged?',
      count(open(r).filter((each) => each.acknowledged_at === null).length),
    ],
    ({ cis }) => [
      'laptop pools outside Lisbon',
      list(cis.filter((each) => each.class === 'laptop pool' && !each.location?.startsWith('Lisbon'))),
    ],
    (r) => [
      'unresolved tickets except those from the service desk team',
      list(open(r).filter((each) => each.assignment_group !== 'service desk')),
    ],
    (r) => [
      'how many open incidents have no configuration item',
      count(open(r).filter((each) => each.ci_id === null).length),
    ],
    ({ changes }) => ['changes which are not low risk', list(changes.filter((each) => each.risk !== 'low'))],
    ({ requests }) => [
      'how many requests were neither rejected nor cancelled?',
      count(requests.filter((each) => !/rejected|cancelled/.test(each.state)).length),
    ],
    (r) => [
      'P1 or P2 incidents opened by anyone except Mei Chen, still open',
      list(open(r).filter((each) => /P[12]/.test(each.priority) && each.opened_by !== 'mei.chen@example.com')),
    ],
    (r) => ['open tickets not about email', list(open(r).filter((each) => each.category !== 'email'))],
    ({ cis }) => ['items that are not operational', list(cis.filter((each) => each.status !== 'operational'))],
    (r) => [
      'open incidents not assigned to me',
      list(open(r).filter((each) => each.assigned_to !== 'agent@example.com')),
      'agent',
    ],
    (r) => ['anything open that isnt P3', list(open(r).filter((each) => each.priority !== 'P3'))],
  ],
  'follow-ups': [
    (r) => [['open incidents', 'only network'], list(open(r).filter(ofTeam('network')))],
    (r) => {
      const one = first(newest(open(r)));
      return [['newest open ticket', 'what team has it'], says(one.assignment_group)];
    },
    ({ incidents, nowMs }) => [
      ['tickets created this week, how many', 'and last week'],
      count(within(incidents, toPeriod('week', -1, nowMs), createdAt).length),
    ],
    (r) => [
      ['open incidents of the network team', 'and for field service?'],
      list(open(r).filter(ofTeam('field service'))),
    ],
    (r) => [
      ['show open incidents', 'group them by priority'],
      all(...rank(open(r), (each) => each.priority).map(({ name, count: size }) => figure(name, size))),
    ],
    ({ changes }) => [
      ['completed changes', 'which of them were high risk'],
      list(changes.filter((each) => each.state === 'completed' && each.risk === 'high')),
    ],
    ({ incidents }) => {
      const one = first(newest(incidents.filter(isResolved)));
      return [
        [`tell me about ${one.id}`, 'and how long did it take?'],
        lasts((Date.parse(String(one.resolved_at)) - Date.parse(one.created_at)) / 60_000),
      ];
    },
    (r) => [
      ['open incidents of messaging', 'which of these has waited the longest?'],
      ({ records: [head] }) => head?.id === first(newest(open(r).filter(ofTeam('messaging'))).toReversed()).id,
    ],
  ],
  languages: [
    (r) => ['Zeig mir alle offenen P2-Tickets', list(open(r).filter((each) => each.priority === 'P2'))],
    (r) => ['Combien d’incidents sont ouverts ?', count(open(r).length)],
    ({ changes }) => [
      'combien de changements ont été rejetés',
      count(changes.filter((each) => each.state === 'rejected').length),
    ],
    (r) => ['muéstrame los tickets abiertos sin asignar', list(open(r).filter((each) => !each.assigned_to))],
    ({ incidents, nowMs }) => [
      'Wie viele Tickets wurden letzten Monat gelöst?',
      count(within(incidents, toPeriod('month', -1, nowMs), resolvedAt).length),
    ],
    ({ changes }) => ['Welche Changes haben ein hohes Risiko?', list(changes.filter((each) => each.risk === 'high'))],
    () => ['hvor mange hendelser er åpne', unanswerable],
  ],
  'articles and webhooks': [
    ({ articles }) => [
      'list all published network articles',
      list(articles.filter((each) => each.state === 'published' && each.category === 'network')),
    ],
    ({ articles }) => [
      'number of published articles',
      count(articles.filter((each) => each.state === 'published').length),
    ],
    () => ['when did the status page webhook last fail?', ({ answer }) => /webhook|status page/i.test(answer)],
    () => [
      'is the status page webhook active?',
      ({ answer }) => /\bactive\b|1 (?:active )?webhooks/i.test(answer) && !/inactive/.test(answer),
    ],
    ({ articles }) => [
      'who wrote the VPN client error codes article',
      says(...person(first(articles.filter((each) => each.title === 'VPN client error codes')).created_by)),
    ],
    ({ articles }) => [
      'articles about printers',
      ({ records: found }) =>
        found.length > 0 &&
        found.every(({ id }) =>
          articles.some(
            (each) => each.id === id && /print/i.test(`${each.title} ${each.body} ${each.category} ${each.tags}`),
          ),
        ),
    ],
    ({ articles }) => ['articles that are not published', list(articles.filter((each) => each.state !== 'published'))],
  ],
  comparisons: [
    (r) => [
      'compare open incidents of security and cloud platform',
      all(
        figure('security', open(r).filter(ofTeam('security')).length),
        figure('cloud platform', open(r).filter(ofTeam('cloud platform')).length),
      ),
    ],
    ({ incidents, nowMs }) => [
      'incidents this week vs last week',
      counts(
        within(incidents, toPeriod('week', 0, nowMs), createdAt).length,
        within(incidents, toPeriod('week', -1, nowMs), createdAt).length,
      ),
    ],
    ({ incidents }) => [
      'mean time to resolve network vs messaging',
      lasts(meanMinutes(incidents.filter(ofTeam('network'))), meanMinutes(incidents.filter(ofTeam('messaging')))),
    ],
    ({ incidents, nowMs }) => [
      'compare last months created tickets with the month before',
      counts(...[-2, -1].map((offset) => within(incidents, toPeriod('month', offset, nowMs), createdAt).length)),
    ],
    ({ cis }) => [
      'do we have more switches or more access points',
      all(
        figure('switch', cis.filter((each) => each.class === 'switch').length),
        figure('access point', cis.filter((each) => each.class === 'access point').length),
      ),
    ],
    ({ incidents }) => [
      'hardware versus software tickets overall',
      all(
        figure('hardware', incidents.filter((each) => each.category === 'hardware').length),
        figure('software', incidents.filter((each) => each.category === 'software').length),
      ),
    ],
  ],
  figures: [
    ({ incidents }) => [
      'median time to fix for the messaging team',
      lasts(medianMinutes(incidents.filter(ofTeam('messaging')))),
    ],
    ({ incidents }) => [
      'what percentage of tickets is P4',
      percent(incidents.filter((each) => each.priority === 'P4').length / incidents.length),
    ],
    (r) => ['which team is the busiest right now', rankBy(open(r), (each) => each.assignment_group)],
    ({ incidents }) => [
      'which item causes the most tickets',
      ({ answer }) => /Highest|most/i.test(answer) && incidents.length > 0,
    ],
    ({ incidents }) => ['Who reports the most incidents?', rankBy(incidents, (each) => each.opened_by)],
    ({ incidents, nowMs }) => [
      'no. of incidents raised yesterday',
      count(within(incidents, toPeriod('day', -1, nowMs), createdAt).length),
    ],
  ],
  lookups: [
    (r) => [
      'what is on priya’s plate',
      any(
        list(open(r).filter((each) => each.assigned_to === 'priya.raman@example.com')).check,
        list(r.incidents.filter((each) => each.assigned_to === 'priya.raman@example.com')).check,
      ),
    ],
    (r) => [
      'anything unassigned in the messaging queue?',
      any(
        list(open(r).filter((each) => each.assignment_group === 'messaging' && !each.assigned_to)).check,
        list(r.incidents.filter((each) => each.assignment_group === 'messaging' && !each.assigned_to)).check,
      ),
    ],
    ({ changes }) => [
      'RFCs that nobody has decided on yet',
      list(changes.filter((each) => each.state === 'submitted')),
    ],
    ({ requests }) => [
      'what did Mei Chen order',
      any(
        list(requests.filter((each) => each.requested_by === 'mei.chen@example.com')).check,
        list(requests.filter((each) => each.requested_for === 'mei.chen@example.com')).check,
      ),
    ],
    async ({ impact }) => ['what is affected if erp-db goes down', reaches(await impact('erp-db'))],
    ({ onCall }) => [
      'who is on call for infrastructure',
      says(...person(first(onCall.filter((each) => each.schedule_name === 'Infrastructure')).person)),
    ],
    (r) => ['oldest 3 open incidents', list(newest(open(r)).toReversed().slice(0, 3))],
  ],
  'nobody can answer': [
    () => ['is priya happy with her job', unanswerable],
    () => ['how many tickets will we get next month', unanswerable],
    () => ['who is the laziest agent', unanswerable],
    () => ['how many phone calls did the desk take today', unanswerable],
    () => ['incidents by building floor', { check: isWarned, isRefusable: true }],
    () => ['which of my colleagues deserves a raise', unanswerable],
  ],
  orders: [
    (r) => [`please assign ${first(open(r)).id} to Priya`, declinesOrder],
    ({ changes }) => [`approve ${first(changes).id}`, declinesOrder],
    () => ['set all network tickets to P1', declinesOrder],
    () => ['disable the status page webhook', declinesOrder],
    (r) => [`add a comment to ${first(open(r)).id}: user called again`, declinesOrder],
  ],
};
