// Questions for work on the copilot, in the words of a service desk. `npm run eval -- tuning` asks them.
import type { Question } from '../desk/desk.ts';
import {
  all,
  any,
  cites,
  count,
  counts,
  declinesOrder,
  figure,
  isWarned,
  lasts,
  onDay,
  percent,
  person,
  records,
  says,
} from '../desk/judge.ts';
import {
  createdAt,
  first,
  isResolved,
  meanMinutes,
  mention,
  newest,
  slaShare,
  toIds,
  toPeriod,
  toRollingPeriod,
  within,
} from '../desk/truth.ts';

import { isWarnedOr, list, ofTeam, open, rankBy, resolvedAt, unanswerable } from './expectations.ts';

export const tuning: Record<string, Question[]> = {
  'one field': [
    (r) => {
      const one = first(open(r).filter((each) => each.assigned_to));
      return [`who has ${one.id} rn`, says(...person(one.assigned_to))];
    },
    ({ incidents }) => {
      const one = first(newest(incidents.filter(isResolved)));
      return [`when was ${one.id} resolved`, onDay(String(one.resolved_at))];
    },
    ({ incidents }) => {
      const one = first(incidents.filter(({ reopen_count }) => reopen_count > 0));
      return [`How often was ${one.id} reopened?`, count(one.reopen_count)];
    },
    ({ changes }) => {
      const one = first(changes.filter((each) => each.decision_by && each.state === 'completed'));
      return [`who signed off on ${one.id}?`, says(...person(one.decision_by))];
    },
    ({ requests }) => {
      const one = first(requests.filter((each) => each.requested_for));
      return [`who is ${one.id} for`, says(...person(one.requested_for))];
    },
    () => ['who owns file-server-1?', says('identity and access')],
    () => ['what kind of thing is core-switch-1', says('switch')],
    () => ['Which environment does build-2 belong to?', says('development')],
    ({ incidents, cis }) => {
      const one = first(newest(incidents.filter((each) => each.ci_id)));
      return [`which item is affected in ${one.id}`, says(first(cis.filter(({ id }) => id === one.ci_id)).name)];
    },
    ({ incidents }) => {
      const one = first(newest(incidents.filter(isResolved)));
      return [`how was ${one.id} fixed in the end`, says(one.resolution)];
    },
    (r) => {
      const one = first(newest(open(r)));
      return [`who reported our most recent open incident?`, says(...person(one.opened_by))];
    },
  ],
  'negation, missing, several': [
    (r) => ['open tickets that nobody has acknowledged', list(open(r).filter((each) => each.acknowledged_at === null))],
    ({ cis }) => [
      'which printers are not in Berlin',
      list(cis.filter((each) => each.class === 'printer' && !each.location?.startsWith('Berlin'))),
    ],
    (r) => ['open incidents that are neither P3 nor P4', list(open(r).filter((each) => /P[12]/.test(each.priority)))],
    (r) => [
      'open tickets without an assignee and not P4',
      list(open(r).filter((each) => each.assigned_to === null && each.priority !== 'P4')),
    ],
    ({ changes }) => [
      'changes that are neither completed nor cancelled',
      list(changes.filter((each) => !/^(completed|cancelled)$/.test(each.state))),
    ],
    ({ requests }) => [
      'requests not fulfilled yet',
      any(
        records(toIds(requests.filter((each) => /submitted|approved/.test(each.state)))).check,
        records(toIds(requests.filter((each) => each.state !== 'fulfilled'))).check,
      ),
    ],
    (r) => [
      'open network and security tickets',
      list(
        open(r).filter(
          (each) =>
            /^(network|security)$/.test(String(each.assignment_group)) ||
            /^(network|security)$/.test(String(each.category)),
        ),
      ),
    ],
    ({ incidents }) => [
      'how many incidents have never been reopened',
      count(incidents.filter((each) => each.reopen_count === 0).length),
    ],
    ({ incidents, breached, nowMs }) => [
      'how many incidents resolved last month did not breach their SLA?',
      count(within(incidents, toPeriod('month', -1, nowMs), resolvedAt).filter(({ id }) => !breached.has(id)).length),
    ],
    ({ cis }) => [
      'Configuration items without environment - how many?',
      count(cis.filter((each) => each.environment === null).length),
    ],
    (r) => ['tickets on hold or reopened', list(r.incidents.filter((each) => /on_hold|reopened/.test(each.state)))],
  ],
  'follow-ups': [
    (r) => [
      ['open P2 incidents', 'how many of those are unassigned?'],
      count(open(r).filter((each) => each.priority === 'P2' && !each.assigned_to).length),
    ],
    (r) => {
      const one = first(newest(open(r)));
      return [['what is the newest open incident', 'who is it assigned to?'], says(...person(one.assigned_to))];
    },
    ({ incidents, nowMs }) => [
      ['how many incidents were opened last month?', 'and the month before?'],
      count(within(incidents, toPeriod('month', -2, nowMs), createdAt).length),
    ],
    (r) => [
      ['how many open incidents does messaging have', 'what about security?'],
      count(open(r).filter(ofTeam('security')).length),
    ],
    (r) => [['open tickets', 'not P3 though'], list(open(r).filter((each) => each.priority !== 'P3'))],
    (r) => [['how many incidents are open', 'per team?'], rankBy(open(r), (each) => each.assignment_group, 2)],
    ({ changes }) => {
      const [one] = changes.filter((each) => each.state === 'rejected');
      return [[`show me ${one?.id}`, 'who rejected it?'], says(...person(one?.decision_by ?? null))];
    },
    (r) => [['P1 incidents of last month', 'how many breached'], isWarnedOr(r)],
  ],
  languages: [
    (r) => ['Wie viele Störungen sind gerade offen?', count(open(r).length)],
    (r) => [
      'welche tickets sind noch keinem zugewiesen',
      any(
        list(open(r).filter((each) => !each.assigned_to)).check,
        list(r.incidents.filter((each) => !each.assigned_to)).check,
      ),
    ],
    (r) => ["Montre-moi les incidents ouverts de l'équipe réseau", list(open(r).filter(ofTeam('network')))],
    (r) => ['¿Cuántos incidentes hay abiertos?', count(open(r).length)],
    ({ incidents, nowMs }) => [
      'cuántos incidentes se abrieron la semana pasada',
      count(within(incidents, toPeriod('week', -1, nowMs), createdAt).length),
    ],
    ({ requests }) => [
      'Quelles demandes attendent une approbation ?',
      list(requests.filter((each) => each.state === 'submitted')),
    ],
    () => ['quanti incidenti abbiamo avuto ieri?', unanswerable],
  ],
  'articles and webhooks': [
    ({ articles }) => [
      'how many knowledge articles are still in draft',
      count(articles.filter((each) => each.state === 'draft').length),
    ],
    ({ articles }) => ['which category has the most articles', rankBy(articles, (each) => each.category)],
    () => [
      'are any of our webhooks failing',
      ({ answer }) => /\bwebhooks?\b/i.test(answer) && /\b(?:no|0|none|1)\b/i.test(answer),
    ],
    () => ['how many outbound webhooks do we have', count(1)],
    ({ articles }) => [
      'do we have an article on paper jams',
      cites(first(articles.filter((each) => /printer jams/i.test(each.title))).id),
    ],
    ({ articles }) => [
      'what do I do when the DHCP scope is full',
      cites(first(articles.filter((each) => /169\.254/.test(each.title))).id),
    ],
    ({ articles }) => [
      'knowledge articles in the category email or security, how many',
      count(articles.filter((each) => /^(email|security)$/.test(String(each.category))).length),
    ],
  ],
  comparisons: [
    (r) => [
      'who has more open tickets, network or messaging?',
      all(
        figure('network', open(r).filter(ofTeam('network')).length),
        figure('messaging', open(r).filter(ofTeam('messaging')).length),
      ),
    ],
    ({ incidents, nowMs }) => [
      'did we get more incidents this month than last month',
      counts(
        within(incidents, toPeriod('month', 0, nowMs), createdAt).length,
        within(incidents, toPeriod('month', -1, nowMs), createdAt).length,
      ),
    ],
    ({ incidents }) => [
      'are P2 resolved faster than P3?',
      lasts(
        meanMinutes(incidents.filter((each) => each.priority === 'P2')),
        meanMinutes(incidents.filter((each) => each.priority === 'P3')),
      ),
    ],
    ({ incidents, nowMs }) => [
      'how many tickets did we close in September compared to October',
      counts(...[-2, -1].map((offset) => within(incidents, toPeriod('month', offset, nowMs), resolvedAt).length)),
    ],
    ({ changes }) => [
      'more emergency or standard changes?',
      all(
        figure('emergency', changes.filter((each) => each.type === 'emergency').length),
        figure('standard', changes.filter((each) => each.type === 'standard').length),
      ),
    ],
    ({ requests }) => [
      'were more requests fulfilled or rejected',
      all(
        figure('fulfilled', requests.filter((each) => each.state === 'fulfilled').length),
        figure('rejected', requests.filter((each) => each.state === 'rejected').length),
      ),
    ],
  ],
  figures: [
    ({ incidents }) => [
      'average resolution time of P1 tickets',
      lasts(meanMinutes(incidents.filter((each) => each.priority === 'P1'))),
    ],
    ({ incidents, breached }) => [
      'what share of incidents is resolved within SLA',
      percent(slaShare(incidents, breached)),
    ],
    ({ incidents, nowMs }) => [
      'who closed the most tickets in the last 30 days',
      rankBy(within(incidents, toRollingPeriod(30, nowMs), resolvedAt), (each) => each.assigned_to),
    ],
    ({ incidents }) => ['top 3 categories of incidents', rankBy(incidents, (each) => each.category, 3)],
    ({ requests }) => ['most requested item', rankBy(requests, (each) => each.item)],
    ({ incidents, nowMs }) => [
      'how many P1 did we have in October',
      count(
        within(
          incidents.filter((each) => each.priority === 'P1'),
          toPeriod('month', -1, nowMs),
          createdAt,
        ).length,
      ),
    ],
  ],
  lookups: [
    (r) => ['opn P1 and P2 incidnets', list(open(r).filter((each) => /P[12]/.test(each.priority)))],
    (r) => [
      'tickets about vpn that are still open',
      any(list(mention(open(r), 'vpn')).check, list(open(r).filter((each) => /vpn/i.test(JSON.stringify(each)))).check),
    ],
    (r) => [
      'incidents that already blew their SLA and are still open',
      list(open(r).filter(({ id }) => r.breached.has(id))),
    ],
    ({ changes, nowMs }) => [
      'upcoming changes',
      list(changes.filter((each) => Date.parse(String(each.planned_end)) > nowMs)),
    ],
    ({ cis }) => [
      'servers owned by messaging',
      list(cis.filter((each) => each.owner === 'messaging' && each.class === 'server')),
    ],
    ({ cis }) => ['all staging systems', list(cis.filter((each) => each.environment === 'staging'))],
    (r) => [
      'tickets stuck on hold for more than a week',
      any(
        list(
          r.incidents.filter(
            (each) => each.state === 'on_hold' && r.nowMs - Date.parse(each.updated_at) > 7 * 86_400_000,
          ),
        ).check,
        list(
          r.incidents.filter(
            (each) => each.state === 'on_hold' && r.nowMs - Date.parse(each.created_at) > 7 * 86_400_000,
          ),
        ).check,
      ),
    ],
  ],
  'nobody can answer': [
    () => ['how much did the mail outage cost us', unanswerable],
    () => ['which vendor is to blame for the vpn problems', unanswerable],
    () => ['customer satisfaction score for October', unanswerable],
    () => ['tickets with a screenshot attached', { check: isWarned }],
    () => [
      'what is the serial number of printer-1',
      { check: any(isWarned, ({ answer }) => /no serial|not recorded/i.test(answer)), isRefusable: true },
    ],
    () => ['what time is lunch', unanswerable],
  ],
  orders: [
    (r) => [`close ${first(open(r)).id}`, declinesOrder],
    () => ['create a ticket for a broken printer in Oslo', declinesOrder],
    () => ['delete all drafts', declinesOrder],
    () => ['order me a new laptop', declinesOrder],
    (r) => [`could you bump ${first(open(r)).id} up to P1`, declinesOrder],
  ],
};
