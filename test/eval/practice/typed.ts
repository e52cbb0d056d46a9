// Questions as people type them in a hurry, written before looking at the code that answers them. `npm run eval -- typed` asks those to
// look at, `npm run eval -- typed-held-out` those only to measure.
import type { Question } from '../desk/desk.ts';
import {
  all,
  any,
  type Check,
  cites,
  contains,
  count,
  counts,
  declinesOrder,
  figure,
  isWarned,
  lasts,
  lists,
  onDay,
  percent,
  person,
  says,
  startsWith,
} from '../desk/judge.ts';
import {
  createdAt,
  first,
  isResolved,
  meanMinutes,
  medianMinutes,
  mention,
  newest,
  type Records,
  toIds,
  toPeriod,
  toRollingPeriod,
  within,
  withResolution,
} from '../desk/truth.ts';
import { list, ofTeam, open, rankBy, reaches, resolvedAt, unanswerable } from './expectations.ts';

const ofPriority = (priority: string) => (each: { priority: string }) => each.priority === priority;
const inState = (state: string) => (each: { state: string }) => each.state === state;
const warned = { check: isWarned, isRefusable: true };
const titled = ({ articles }: Records, words: RegExp) => first(articles.filter(({ title }) => words.test(title))).id;
const findItemId = ({ cis }: Records, name: string) => first(cis.filter((each) => each.name === name)).id;
const whoIsOnCall = ({ onCall }: Records, schedule: RegExp): Check =>
  any(...onCall.filter((each) => schedule.test(each.schedule_name)).map((each) => says(...person(each.person))));
const inMonth = ({ incidents, nowMs }: Records, offset: number) =>
  within(incidents, toPeriod('month', offset, nowMs), createdAt);

export const typed: Record<string, Question[]> = {
  'one field': [
    (r) => {
      const one = first(newest(open(r)));
      return [`what prio does ${one.id} have`, says(one.priority)];
    },
    ({ requests }) => {
      const one = first(requests.filter((each) => each.decision_by && each.state === 'approved'));
      return [`who approved ${one.id}`, says(...person(one.decision_by))];
    },
    (r) => {
      const one = first(open(r).filter((each) => !each.assigned_to));
      return [`is ${one.id} assigned to anyone?`, says(...person(null))];
    },
    () => ['ip of core-switch-2?', says('10.0.0.3')],
    ({ requests }) => {
      const one = first(newest(requests));
      return [`what quantity was ordered in ${one.id}`, count(one.quantity)];
    },
    ({ incidents }) => {
      const one = first(newest(incidents));
      return [`who acked ${one.id}`, says(...person(one.acknowledged_by), 'not acknowledged')];
    },
    ({ incidents }) => {
      const one = first(newest(incidents));
      return [`when was the last update on ${one.id}`, onDay(one.updated_at)];
    },
    () => ['status of ups-controller', says('degraded')],
    ({ changes }) => {
      const one = first(newest(changes.filter((each) => each.assigned_to)));
      return [`${one.id} - whos implementing that`, says(...person(one.assigned_to))];
    },
  ],
  'negation, missing, several': [
    (r) => [
      'open tickets not with the service desk',
      any(
        list(open(r).filter((each) => each.assignment_group !== 'service desk')).check,
        list(open(r).filter((each) => each.assignment_group && each.assignment_group !== 'service desk')).check,
      ),
    ],
    (r) => ["P1s that aren't resolved or closed yet", list(open(r).filter(ofPriority('P1')))],
    (r) => ['incidents w/o a category', list(r.incidents.filter((each) => each.category === null))],
    ({ changes }) => [
      'changes that have no assignee and arent cancelled',
      list(changes.filter((each) => each.assigned_to === null && each.state !== 'cancelled')),
    ],
    ({ cis }) => [
      'switches or firewalls outside of Berlin',
      list(cis.filter((each) => /^(switch|firewall)$/.test(each.class) && !each.location?.startsWith('Berlin'))),
    ],
  ],
  'follow-ups': [
    (r) => [
      ['open incidents of the network team', 'only the P3s'],
      list(open(r).filter(ofTeam('network')).filter(ofPriority('P3'))),
    ],
    (r) => [['how many P3 are open', 'and P4?'], count(open(r).filter(ofPriority('P4')).length)],
    ({ changes }) => [
      ['show all changes of the network team', 'which of them are high risk?'],
      list(changes.filter((each) => each.assignment_group === 'network' && each.risk === 'high')),
    ],
    ({ incidents }) => {
      const one = first(newest(incidents));
      return [[`show ${one.id}`, 'who reported it?', 'and when?'], onDay(one.created_at)];
    },
    ({ incidents, nowMs }) => [
      ['how many incidents came in last week?', 'and how many were resolved?'],
      count(
        within(incidents, toPeriod('week', -1, nowMs), resolvedAt).length,
        within(incidents, toPeriod('week', -1, nowMs), createdAt).filter(isResolved).length,
        within(incidents, toPeriod('week', -1, nowMs), createdAt).filter(inState('resolved')).length,
        within(within(incidents, toPeriod('week', -1, nowMs), createdAt), toPeriod('week', -1, nowMs), resolvedAt)
          .length,
      ),
    ],
    ({ cis }) => [
      ['list all printers', 'only the one in Lisbon'],
      list(cis.filter((each) => each.class === 'printer' && each.location === 'Lisbon')),
    ],
    (r) => [
      ['open tickets of jonas lind', 'same for priya raman'],
      list(open(r).filter((each) => each.assigned_to === 'priya.raman@example.com')),
    ],
    (r) => [['how many incidents were opened last month?', 'and the month before?'], count(inMonth(r, -2).length)],
    ({ incidents, nowMs }) => [
      ['mean time to resolve last month', 'and this month?'],
      lasts(meanMinutes(within(incidents, toPeriod('month', 0, nowMs), resolvedAt))),
    ],
    (r) => [
      ['tell me about vpn-gateway-1', 'any open incidents on it?'],
      list(open(r).filter((each) => each.ci_id === findItemId(r, 'vpn-gateway-1'))),
    ],
    (r) => [
      ['tell me about vpn-gateway-1', 'any open incidents on it?', 'and changes?'],
      list(
        r.changes.filter(
          (each) =>
            each.ci_ids.includes(findItemId(r, 'vpn-gateway-1')) &&
            /^(submitted|approved|implementing)$/.test(each.state),
        ),
      ),
    ],
    async ({ impact }) => [['what does the ERP depend on', 'and what depends on it?'], reaches(await impact('ERP'))],
    () => [['is vpn-gateway-1 down', 'who owns it?'], says('network')],
    ({ changes }) => [
      ['show changes waiting for approval', 'who requested the first one?'],
      says(...person(first(newest(changes.filter(inState('submitted')))).requested_by)),
    ],
    (r) => [['open incidents in oslo', 'in porto?'], list(mention(open(r), 'porto'))],
    () => [['how many incidents per team this month', 'as a percentage?'], warned],
    () => ['what about yesterday?', warned],
    () => [['who is on call for network', 'until when?'], contains('Infrastructure')],
    () => [['how many webhook deliveries failed yesterday', 'and last week?'], contains('webhooks')],
    ({ incidents, nowMs }) => [
      ['how many incidents came in last week', 'which team had the most?'],
      rankBy(within(incidents, toPeriod('week', -1, nowMs), createdAt), (each) => each.assignment_group),
    ],
  ],
  languages: [
    (r) => ['Welche P2-Tickets sind noch offen?', list(open(r).filter(ofPriority('P2')))],
    ({ changes, nowMs }) => [
      'Wie viele Changes sind für nächste Woche geplant?',
      count(
        ...[toPeriod('week', 1, nowMs), toRollingPeriod(-7, nowMs)].map(
          (period) => within(changes, period, (each) => each.planned_start).length,
        ),
        changes.filter(
          (each) =>
            Date.parse(String(each.planned_end)) > toPeriod('week', 1, nowMs).fromMs &&
            Date.parse(String(each.planned_start)) < toPeriod('week', 1, nowMs).untilMs,
        ).length,
      ),
    ],
    (r) => {
      const one = first(newest(r.incidents));
      return [`Wer hat ${one.id} gemeldet?`, says(...person(one.opened_by))];
    },
    ({ requests }) => ['Combien de demandes ont été refusées ?', count(requests.filter(inState('rejected')).length)],
    (r) => ['muéstrame los incidentes abiertos sin asignar', list(open(r).filter((each) => !each.assigned_to))],
    (r) => {
      const one = first(newest(open(r).filter((each) => each.assigned_to)));
      return [`¿quién tiene asignado ${one.id}?`, says(...person(one.assigned_to))];
    },
    ({ cis }) => ['zeig mir alle Drucker', list(cis.filter((each) => each.class === 'printer'))],
  ],
  'articles and webhooks': [
    ({ articles }) => ['list the draft articles', list(articles.filter(inState('draft')))],
    ({ articles }) => [
      'how many articles are filed under email',
      count(articles.filter((each) => each.category === 'email').length),
    ],
    () => ['what webhooks do we have', contains('Status page (demo)')],
    (r) => ['is there a guide for lost phones?', any(cites(titled(r, /^Lost or/)), cites(titled(r, /^Second factor/)))],
    ({ articles }) => [
      'published articles in the security category',
      list(articles.filter((each) => each.category === 'security' && each.state === 'published')),
    ],
    () => ['which webhook gets incident.resolved events', contains('Status page (demo)')],
    ({ articles }) => [
      'draft articles by manager',
      list(articles.filter((each) => each.state === 'draft' && each.created_by === 'manager@example.com')),
    ],
    ({ articles }) => [
      'articles written by priya raman',
      list(articles.filter((each) => each.created_by === 'priya.raman@example.com')),
    ],
    ({ articles, nowMs }) => [
      'which articles are older than a year',
      list(articles.filter((each) => Date.parse(each.created_at) < toRollingPeriod(365, nowMs).fromMs)),
    ],
    ({ articles }) => ['how many kb articles are in draft', count(articles.filter(inState('draft')).length)],
    () => ['which webhook fails most', contains('0 of 1', 'Status page (demo)')],
    () => ['list webhooks that are disabled', contains('0 inactive')],
    () => ['inactive webhooks', contains('0 inactive')],
    () => ['what was the last article we updated', warned],
    (r) => ['who is on call for network', whoIsOnCall(r, /Infrastructure/)],
    async ({ impact }) => ['what breaks if core-switch-2 goes down', reaches(await impact('core-switch-2'))],
    () => [['what depends on core-switch-2', 'how many of them are printers?'], count(1)],
    () => ['which servers have the most incidents', warned],
  ],
  comparisons: [
    (r) => [
      'does network or security have more P3 tickets open?',
      all(
        ...['network', 'security'].map((team) =>
          figure(team, open(r).filter(ofTeam(team)).filter(ofPriority('P3')).length),
        ),
      ),
    ],
    (r) => [
      'P1 vs P2 this month, how many each',
      all(...['P1', 'P2'].map((each) => figure(each, inMonth(r, 0).filter(ofPriority(each)).length))),
    ],
    ({ incidents, nowMs }) => [
      'more tickets yesterday or today?',
      counts(...[-1, 0].map((offset) => within(incidents, toPeriod('day', offset, nowMs), createdAt).length)),
    ],
    ({ cis }) => [
      'are there more printers or more switches',
      all(
        ...['printer', 'switch'].map((name) => {
          const size = cis.filter((ci) => ci.class === name).length;
          return any(figure(name, size), figure(name.replace(/(ch)?$/, '$1s').replace('chs', 'ches'), size));
        }),
      ),
    ],
    ({ incidents }) => [
      'who resolves tickets quicker: network or database administration',
      lasts(...['network', 'database administration'].map((team) => meanMinutes(incidents.filter(ofTeam(team))))),
    ],
  ],
  figures: [
    ({ incidents }) => ['median time to resolve P2', lasts(medianMinutes(incidents.filter(ofPriority('P2'))))],
    (r) => [
      'breakdown of open incidents by priority',
      all(...['P2', 'P3', 'P4'].map((each) => figure(each, open(r).filter(ofPriority(each)).length))),
    ],
    ({ incidents }) => [
      'what percentage of all incidents is P1',
      percent(incidents.filter(ofPriority('P1')).length / incidents.length),
    ],
    ({ incidents, cis }) => [
      'which ci has the most incidents',
      rankBy(incidents, (each) => cis.find(({ id }) => id === each.ci_id)?.name ?? null),
    ],
  ],
  lookups: [
    (r) => [
      'incdents asigned to jonas lind that are opn',
      list(open(r).filter((each) => each.assigned_to === 'jonas.lind@example.com')),
    ],
    ({ incidents, nowMs }) => ['tickets created today', list(within(incidents, toPeriod('day', 0, nowMs), createdAt))],
    (r) => [
      'anything open about printers',
      ({ records }) =>
        records.length > 0 &&
        records.every(({ id }) => mention(open(r), 'print\\w*|toner|paper').some((each) => each.id === id)),
    ],
    async ({ impact }) => ['what breaks if erp-db goes down', reaches(await impact('erp-db'))],
    (r) => ['oldest open P3', startsWith(String(newest(open(r).filter(ofPriority('P3'))).at(-1)?.id))],
    (r) => ['who is on call for infrastructure', whoIsOnCall(r, /^Infrastructure$/)],
  ],
  'nobody can answer': [
    () => ['how many employees does the company have', unanswerable],
    () => ['which ticket took the most hours of work', warned],
    () => ['open tickets from VIP users', warned],
    ({ incidents }) => [
      'tickets waiting for the vendor',
      { check: any(isWarned, list(incidents.filter(inState('on_hold'))).check), isRefusable: true },
    ],
    () => ['how many calls did we get by phone last week', warned],
    () => ['incidents that were escalated twice', warned],
  ],
  orders: [
    (r) => [`pls assign ${first(newest(open(r))).id} to jonas lind`, declinesOrder],
    ({ changes }) => [`approve ${first(changes.filter(inState('submitted'))).id}`, declinesOrder],
  ],
};

export const typedHeldOut: Record<string, Question[]> = {
  'one field': [
    (r) => {
      const one = first(newest(open(r).filter((each) => each.category)));
      return [`category of ${one.id}?`, says(one.category)];
    },
    ({ changes }) => {
      const one = first(newest(changes.filter((each) => each.planned_end)));
      return [`when is ${one.id} supposed to end`, onDay(String(one.planned_end))];
    },
    ({ changes }) => {
      const one = first(newest(changes));
      return [`how risky is ${one.id}`, says(one.risk)];
    },
    () => ['where is access-switch-3 located', says('Oslo')],
    (r) => {
      const one = first(open(r).filter((each) => !each.assigned_to));
      return [`assignee of ${one.id}`, says(...person(null))];
    },
    ({ incidents }) => {
      const one = first(newest(incidents.filter((each) => each.work_notes_count > 0)));
      return [`how many work notes does ${one.id} have`, count(one.work_notes_count)];
    },
    ({ incidents }) => {
      const one = first(newest(incidents));
      return [`when did ${one.id} come in`, onDay(one.created_at)];
    },
    () => ['who looks after mail-relay-1', says('messaging')],
    ({ requests }) => {
      const one = first(newest(requests));
      return [`${one.id} - who asked for that`, says(...person(one.requested_by))];
    },
  ],
  'negation, missing, several': [
    (r) => [
      'open tickets, everything except network and security',
      any(
        list(open(r).filter((each) => !/^(network|security)$/.test(String(each.assignment_group)))).check,
        list(open(r).filter((each) => each.assignment_group && !/^(network|security)$/.test(each.assignment_group)))
          .check,
      ),
    ],
    ({ requests }) => ['requests that havent been decided', list(requests.filter(inState('submitted')))],
    ({ cis }) => [
      "servers that aren't in production",
      any(
        list(cis.filter((each) => each.class === 'server' && each.environment !== 'production')).check,
        list(cis.filter((each) => each.class === 'server' && each.environment && each.environment !== 'production'))
          .check,
      ),
    ],
    (r) => [
      'open P3 and P4 tickets nobody is assigned to',
      list(open(r).filter((each) => /P[34]/.test(each.priority) && !each.assigned_to)),
    ],
    ({ cis }) => ['CIs that are not operational', list(cis.filter((each) => each.status !== 'operational'))],
  ],
  'follow-ups': [
    (r) => [
      ['open tickets of messaging', 'which one is the oldest?'],
      startsWith(String(newest(open(r).filter(ofTeam('messaging'))).at(-1)?.id)),
    ],
    (r) => [['how many incidents in October', 'just P2'], count(inMonth(r, -1).filter(ofPriority('P2')).length)],
    () => [['tell me about access-switch-2', 'where is it?'], says('Lisbon')],
    ({ requests }) => [
      ['how many requests are waiting for approval', 'which ones?'],
      list(requests.filter(inState('submitted'))),
    ],
    ({ incidents }) => [
      ['average resolution time of P2 incidents', 'and for P3?'],
      lasts(meanMinutes(incidents.filter(ofPriority('P3')))),
    ],
    ({ changes }) => {
      const one = first(newest(changes));
      return [[`what is ${one.id}`, 'how risky is that?'], says(one.risk)];
    },
    (r) => [
      ['open incidents', 'the ones from the service desk', 'how many of them are P3'],
      count(open(r).filter(ofTeam('service desk')).filter(ofPriority('P3')).length),
    ],
  ],
  languages: [
    (r) => ['Wie viele offene Tickets hat das Netzwerkteam?', count(open(r).filter(ofTeam('network')).length)],
    ({ cis }) => [
      'zeige alle Server in Staging',
      list(cis.filter((each) => each.environment === 'staging' && each.class === 'server')),
    ],
    (r) => [
      "Combien d'incidents P2 avons-nous eu le mois dernier ?",
      count(inMonth(r, -1).filter(ofPriority('P2')).length),
    ],
    ({ changes }) => ['liste des changements à haut risque', list(changes.filter((each) => each.risk === 'high'))],
    ({ requests }) => [
      'cuántas solicitudes están pendientes de aprobación',
      count(requests.filter(inState('submitted')).length),
    ],
    (r) => ['tickets abiertos del equipo de seguridad', list(open(r).filter(ofTeam('security')))],
    (r) => {
      const one = first(newest(open(r)));
      return [`Quelle est la priorité de ${one.id} ?`, says(one.priority)];
    },
  ],
  'articles and webhooks': [
    ({ articles }) => ['all articles that arent published', list(articles.filter(inState('draft')))],
    ({ articles }) => ['how many kb articles are there in total', count(articles.length)],
    () => ['show our webhooks', contains('Status page (demo)')],
    (r) => ['what does error 53300 mean', cites(titled(r, /53300/))],
    (r) => ['how do I get a mail out of quarantine', cites(titled(r, /quarantine/))],
    ({ articles }) => ['hardware articles', list(articles.filter((each) => each.category === 'hardware'))],
  ],
  comparisons: [
    (r) => [
      'compare open incidents of field service and cloud platform',
      all(...['field service', 'cloud platform'].map((team) => figure(team, open(r).filter(ofTeam(team)).length))),
    ],
    (r) => ['incidents in september vs october', counts(inMonth(r, -2).length, inMonth(r, -1).length)],
    ({ requests }) => [
      'whats higher, rejected or cancelled requests',
      all(...['rejected', 'cancelled'].map((each) => figure(each, requests.filter(inState(each)).length))),
    ],
    ({ changes }) => [
      'do we have more low risk or high risk changes',
      all(...['low', 'high'].map((each) => figure(each, changes.filter(({ risk }) => risk === each).length))),
    ],
    ({ incidents, nowMs }) => [
      'did we resolve more incidents last week than the week before',
      counts(...[-1, -2].map((offset) => within(incidents, toPeriod('week', offset, nowMs), resolvedAt).length)),
    ],
  ],
  figures: [
    ({ incidents, nowMs }) => [
      'avg resolution time last month',
      any(
        lasts(meanMinutes(within(incidents, toPeriod('month', -1, nowMs), resolvedAt))),
        lasts(meanMinutes(within(incidents, toPeriod('month', -1, nowMs), createdAt))),
      ),
    ],
    (r) => ['open incidents per category', rankBy(open(r), (each) => each.category, 2)],
    ({ incidents, breached }) => [
      'what share of resolved tickets breached the sla',
      percent(withResolution(incidents).filter(({ id }) => breached.has(id)).length / withResolution(incidents).length),
    ],
    ({ incidents }) => ['who opened the most incidents', rankBy(incidents, (each) => each.opened_by)],
  ],
  lookups: [
    ({ incidents, nowMs }) => ['tickts from yesterday', list(within(incidents, toPeriod('day', -1, nowMs), createdAt))],
    ({ cis }) => ['which configuration items are degraded', list(cis.filter((each) => each.status === 'degraded'))],
    (r) => ['newest open P2', startsWith(String(newest(open(r).filter(ofPriority('P2')))[0]?.id))],
    (r) => [
      'open tickets elena petrova is working on',
      list(open(r).filter((each) => each.assigned_to === 'elena.petrova@example.com')),
    ],
    ({ changes }) => [
      'emergency changes that were completed',
      list(changes.filter((each) => each.type === 'emergency' && each.state === 'completed')),
    ],
    (r) => {
      const two = newest(open(r)).slice(0, 2);
      return [`show me ${two.map(({ id }) => id).join(' and ')}`, lists(toIds(two))];
    },
  ],
  'nobody can answer': [
    () => ['average age of our agents', unanswerable],
    () => ['whats the budget left for laptops this year', unanswerable],
    () => ['open tickets with more than 3 attachments', warned],
    () => ['tickets with negative feedback', warned],
    () => ['open incidents reported through the chatbot', warned],
    () => ['which of our agents is on vacation', unanswerable],
  ],
  orders: [
    (r) => [`mark ${first(newest(open(r))).id} as resolved`, declinesOrder],
    ({ incidents }) => [`reopen ${first(newest(incidents.filter(isResolved))).id} please`, declinesOrder],
  ],
};
