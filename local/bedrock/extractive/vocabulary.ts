// The words of a service desk in their basic form, see phrases.ts for how they are written: what people call the kinds of
// records, the values of fields and what they want to see. Names of fields, their values, and the names of groups, people
// and items come from the schemas of the tools.
import { fillerWords, smallWords } from './english.ts';

/** What people call the kinds of records, by the last part of a tool's name. Only singular and plural count. */
export const kinds = parseTable(`
  incidents: incident, ticket, tix, case, inc, incs, disruption, call, task, outage, problem, issue, fault, failure, trouble, queue,
    backlog, workload
  changes: change request, request for change, rfc, change, chg, maintenance, maintenance window, rollout, roll out, go live, upgrade,
    migration, release, deployment, patch
  requests: service request, request, req, reqs, purchase, order, catalog item, catalogue item, item request
  configuration_items: configuration item, config item, component, infrastructure, equipment, ci, cis, asset, machine, device, system,
    host, box, node, appliance, hardware asset, inventory, cmdb, service, application
  knowledge: article, knowledge, knowledge base, kb, instruction, how to, howto, faq, policy, procedure, tutorial, guideline, guide,
    documentation, docs, manual, runbook, playbook, cheat sheet, criteria, criterion, checklist, rule, definition, escalation path, best
    practice, walkthrough, instructions, sop, write up, writeup, workaround
`);

/** Classes of items that most organizations have, beside those of the data. Only the plural names a kind: "all printers". */
export const equipment =
  'server, switch, router, printer, firewall, laptop, desktop, workstation, monitor, scanner, database, gateway, cluster, ' +
  'virtual machine, vm, load balancer, access point, projector';

/** Nouns that may also just say that something does not work. */
export const vagueNouns: ReadonlySet<string> = new Set(
  'maintenance outage problem issue fault failure trouble queue backlog workload call task'.split(' '),
);

/** Words that point to a kind when no noun names it. */
export const hints = parseTable(`
  incidents: sla, service level, breach, overdue, run out of, deadline
  changes: plan, schedule, calendar, deploy, roll out, rolled out, go live, going live, release, approve, approval, sign off, signoff,
    draft, implement, cab, rollback, roll back, $await .. $approval, change window, risky, high risk, low risk
  requests: =order, =ordered, order, ask for, fulfil, fulfill, deliver, put in for, request
  configuration_items: =down, offline, degraded, unreachable, decommission, retired, healthy, unhealthy, operational, what run, which run,
    in production, $environment, end of life
`);

/** How an item is related to others; a verb before its name means that they need it. */
export const dependencies = parseTable(`
  depends_on: if .. die|fail|crash|stop|disappear|vanish, if .. go away, when .. die|crash, depend on it, depend upon it, rely on it, need it, use it, run on it, depend on that, dependent, dependant, consumer of,
    downstream, blast radius, impact of, rely upon, break if, break when, affect if, affect when, affect by, impact if, impact when,
    impact by, fail if, fail when, happen if, happen when, stop if, stop work, go down with, hit if, suffer if, lose if, lose when, depend
    on us
  needed_by: dependency, upstream, prerequisite, requirement, need to run, need to work, need to function, require to run, sit behind,
    underneath, behind
  verb: depend on, depend upon, depend, rely on, rely, need, require, run on, sit on, build on, count on, lean on, use, connect to, hang
    off
`);

/** Phrases for `$name`. */
export const classes = parseTable(`
  nobody: nobody, no one, noone, none of us, not anyone, not anybody, not a soul, not someone, not somebody
  handle: pick up, take, take on, take care of, take over, own, claim, grab, work on, work, look at, look into, look after, handle,
    assign, assigned to, deal with, respond to, attend to, process, have, on, responsible for, touch, get to, start, start on, assigned,
    watch, do
  handled: assign to, assigned, handle by, own by, work on by, work by, take by, belong to, sit with, lie with, stay with, with, rest
    with, allocate to, allot to, give to, hand to, route to, send to, dispatch to, in the hand of, pick up by, claim by, look after by,
    under
  raise: raise, request, submit, open, log, file, create, report, order, make, place, ask for, put in, put in for, propose, start,
    initiate
  owner: owner, assignee, agent, engineer, technician, handler, assigned, home, responsible person, person
  group: team, group, squad, crew, folk, folks, guy, department, dept, gang, people, resolver group, unit, assignment group, queue, lot,
    colleague
  desk: plate, desk, queue, list, name, bucket, court, hand, lap, bench, side, radar, inbox, worklist, to do list, todo list, board,
    backlog, to do
  target: sla, target, deadline, due date, due time, service level, service level agreement, service target, commitment, response time,
    resolution time, time limit, agreed time, time, promise, olas, ola, clock
  miss: breach, miss, violate, blow, blow through, blow past, exceed, overrun, bust, break, fail, go past, go over, run over, lapse,
    expire, overshoot, overstep, broke, broken, blown, missing, late, overdue, due
  past: past, over, beyond, outside, out of, outside of, after, behind, in breach of, exceed
  near: about to, close to, closing in on, close, near, nearing, approach, almost, nearly, at risk of, in danger of, danger of, risk of,
    risk, going to, go to, gonna, might, may, could, likely to, on track to, on course to, set to, expected to, soon to, will, would,
    verge of, on the verge of, brink of, up against, run out of, threaten to, threaten, will soon, be going to, coming up on, likely
  await: await, wait for, wait on, wait, need, require, pend, pending, in need of, up for, want, lack, miss, no, without, subject to, look
    for, waiting, seek, due for, ready for, there for
  approval: approval, sign off, signoff, go ahead, green light, decision, authorization, authorisation, blessing, thumbs up, cab, review,
    approve, decide, ok, approver, approved, signed off, authorized
  finish: resolve, close, fix, solve, finish, complete, do, done, sort, sort out, address, settle, wrap up, clear, sorted
  most: most, fewest, least, busiest, biggest, highest number, highest count, largest, heaviest, greatest, more, overload, worst, top
  sorted: sort by, order by, sort, order, rank by, rank, arrange by, sort on
  each: by, per, over, spread over, amongst, for each, each, every, across, among, group by, break down by, split by, breakdown by,
    distribution by, count by, for every, in each, between the, sort into
  attend: pick up, take, grab, claim, work, look, handle, deal, start, attend, respond, get to
  activity: touch, update, change, modify, activity, progress, move, response, reply, news, comment, look at
  third: customer, user, caller, client, vendor, supplier, third party, requester, reply, response, feedback, information, info, part,
    someone, somebody, else, someone else, others, answer, delivery
  environment: production, prod, staging, development
`);

export type Meaning = Readonly<Record<string, unknown>>;

/**
 * Ways to say a value: `field=value`, or `field=a|b` for any of these. `open` stands for every state that is not final. A
 * meaning counts only where the tool has the field and its values; the phrase with the most words wins.
 */
const meanings = parseTable(`
  owner=null: no owner, without owner, ownerless, unowned, owner missing, miss owner, lack owner, nobody own, no one own
  location=null: no location, without location, location missing, unknown location
  state=open: =open, active, unresolved, ongoing, outstanding, backlog, =go on, =goes on, =going on, =happening, =happens, to fix, have to
    $finish, need to $finish, not $finish, yet to $finish, unfinished, unsolved, in the queue, long queue, to do, incomplete, need fix,
    need attention, need work, left to do, still alive, underway, not finalize, still to $finish, not arrive, not receive, in the works,
    open state, await $finish, remain, not turn|show up
  state=resolved: solve, fix, resolve, sort out, sorted out, settle, repair, clear up
  state=closed: close, shut, close out
  state=approved: =approved, =signed off, accept, authorize, authorise, green lit, greenlit, given the go ahead, get the go ahead
  state=submitted: $await $approval, $await .. $approval, to approve, approve, should i approve, can i approve, i approve, approval wait,
    approval pend, $approval outstanding, approval queue, for approval, my approval, to be $approval, not yet approve, not yet $approval,
    not $approval yet, unapproved, undecided, to decide, $nobody approve|decide, await, pend, pending, wait, sign off, submit, not decided, in approval, on table for cab|approval|decision, in front of cab|approver, cab agenda,
    $approval
  state=rejected: knock|push|send back, reject, decline, deny, denied, turn down, refuse, veto, not approve, disapprove, throw out, shot down, say no to
  state=fulfilled: fulfil, fulfill, deliver, done, complete, finish, hand out, ship, =provided, provision, grant, serve, =closed
  state=draft: draft, not submit, never submit, unsubmitted, not yet submit, in preparation, being written
  state=draft|submitted|approved: not yet implement, not implement yet
  state=completed: complete, go through, finish, successful, =implemented, =rolled out, =done, =deployed, =went live, =shipped, =closed, be through,
    execute successfully, succeed
  state=implementing: run, in flight, being roll out, in the middle of, in progress, implement, implementing, being implement, =started,
    =begun, under way, underway, in implementation, execute, ongoing, take place, being deploy, active, go on, happen
  state=on_hold: on hold, hold, wait on, wait for, wait, wait on .. $third, wait for .. $third, await, await .. $third, pend, pending,
    suspend, on ice, halt, pause, park, stall, block, =frozen, defer, put off, put on hold, stuck
  state=in_progress: in progress, under investigation, investigate, being $handle, in work, work in progress, someone $handle, somebody
    $handle, under way, being fix, being worked on, worked on
  state=new: =new, brand new, untriaged, not start, not yet start, fresh, unacknowledged, not acknowledge, not triage, not yet triage
  state=reopened: reopen, re open, come back, came back, bounce back, resurface, open again, opened again, back again, recur, come back
    after .. $finish, reopen after .. $finish, back after .. $finish
  state=cancelled: cancel, canceled, withdraw, withdrawn, abandon, abort, call off, scrap, pull back
  priority=P1: critical, crit, highest priority, top priority, sev1, most severe, showstopper, major, on fire, burn, blocker, emergency,
    drop everything, highest severity, top severity
  priority=P2: sev2
  priority=P1|P2: high priority, high prio, high, pressing, severe, urgent, important, serious, high severity, high impact, high urgency
  priority=P3: medium, moderate, medium priority, sev3
  priority=P4: low prio, trivial, least urgent, low priority, lowest priority, minor, low, cosmetic, not urgent, low severity, sev4
  sla=breached: $miss $target, $target .. $miss, $target pass, $target be past, $past $target, $past due, overdue, late, too late, breach,
    breached, in breach, run late, behind schedule, not meet $target, not make $target, not hit $target, not keep $target, $target not
    meet, $target violation, violation, violate, miss, missed, take too long, not in time, fail .. sla, delinquent, out of time, $target
    be up
  sla=at_risk: $near $miss $target, $near .. $miss $target, $near $miss, $near $target, $target at risk, at risk, in danger, due soon, run
    out of time, $target soon, go|turn red|amber|yellow, short on time, short of time, low on time, $target .. run out, endangered, $target $near, $miss soon, soon
    $miss, soon due, $near .. $target, $target come up, $near become $miss, $near be $miss, little time left, time almost up, warning,
    warn, on the clock
  sla=ok: within $target, inside $target, on track, on time, in time, not breach, not overdue, not late, meet $target, no breach
  assigned_to=null: $nobody $handle, $nobody .. $handle, $nobody yet, not $handle by anyone, not $handle to anyone, not assign, not yet
    assign, not pick up, not yet pick up, not claim, not take, never pick up, not yet $handle, without $owner, no $owner, lack $owner,
    miss $owner, need $owner, need an assigned, $owner missing, $owner is empty, $owner blank, unassigned, unowned, ownerless, unclaimed,
    orphan, unallocated, unattended, up for grabs, free for the taking, wait for someone, wait for somebody, need someone, need somebody,
    look for $owner, assign to $nobody, not assign to $nobody, $handled $nobody, not belong to anyone, not belong to anybody, without
    anyone, without anybody, without someone, still to be assign, to be assign, $owner none, up for grab, not allocate, nobody name
  assignment_group=null: without $group, no $group, not assign .. $group, not assign to any $group, lack $group, miss $group, need $group,
    no assigned $group, not with any $group, not in any $group, $group missing, groupless, without assigned $group, no support $group, not
    route, unrouted, belong to no $group, $group is empty
  category=null: $nobody categorize|categorise|classify, without category, no category, uncategorized, uncategorised, not categorize, not categorise, lack category, miss
    category, category missing, not yet categorize, category is empty, unclassified
  status=down: =down, unavailable, unreachable, crash, not run, not up, out of service, offline, break, broken, not work, fail, dead, out
    of order, inaccessible, go down
  status=degraded: slow, run|work slow|slowly|badly|poorly, impair, struggle, unhealthy, not healthy, limp, sluggish, flaky, partially work, degrade
  status=degraded|down: not ok, in trouble, have problem, have issue, not fully operational, not fine
  status=operational: =up, healthy, =working, =running, fine, online, in service, up and running, available, alive
  status=retired: decommission, out of use, end of life, obsolete, no longer in use, not in use, phase out, sunset, dispose, retire
  risk=high: risky, dangerous, scary
  risk=low: safe, harmless
  type=emergency: urgent, unplanned
  type=standard: routine, preapproved, pre approved
  sort=priority order=asc: most urgent first, most important first, most critical first, worst first, highest first, top priorities, by
    urgency, by importance, by severity, $sorted priority, $sorted urgency, $sorted severity, in order of priority, in priority order,
    highest priority first, most urgent, most important, most pressing, most severe first, order of urgency, order of importance, look at
    first, start with, tackle first, highest|top priority|severity on|at top, most urgent|important|critical|severe|pressing on|at top, do first, work on first, priority first
  sort=sla_breach_at order=asc: time to breach, time to $target, by time to breach, $sorted time to breach, $sorted breach, $sorted sla,
    $sorted due, $sorted due date, $sorted deadline, by deadline, by due date, closest to breach, nearest to breach, next to breach, due
    first, due soonest, breach first, breach soonest, breach next
  sort=risk: $sorted risk, riskiest, riskiest first, highest risk, most risky, highest risk first, order of risk
  sort=planned_start order=asc: $sorted plan start, $sorted start, $sorted start date, $sorted plan date, by plan start, earliest start,
    earliest|soonest|next window|slot first?, start first, earliest first, by start date, by start time, $sorted schedule, soonest first, in chronological order, next up, soonest,
    chronologically
  sort=updated_at: recently update, recently change, recently touch, recently modify, last update, last touch, last modify, last change,
    latest update, latest activity, $sorted update, $sorted last update, most recently update, $sorted recent activity, most recently
    touch, most recently change, most recently modify, $sorted last change, by last update, $sorted activity, update most recently, change
    most recently, touch most recently, fresh update, update last, recent activity, newest activity, by activity
  order=asc: oldest, oldest first, longest open, longest wait, longest run, open the longest, open longest, wait longest, wait the
    longest, $sorted age, eldest, earliest, longest stand, by age, longest, first come
  order=desc: newest, =new, latest, most recent, recent, newest first, last, $sorted create, most recently create, most recently open,
    most recent first, $sorted date, recently, freshest, latest first
  planned=ahead: upcoming, go live, going live, come up, coming up, ahead, to be roll out, future, =planned, =planning, i|we|they plan, schedule, coming, next, in the
    pipeline, on the horizon, on the calendar, soon, forthcoming, line up, about to start, about to go live, due to start, begin
`);

export const synonyms: readonly [meaning: Meaning, phrases: string][] = Object.entries(meanings).map(
  ([key, phrases]) => [Object.fromEntries(key.split(' ').map(parseMeaning)), phrases],
);

/** Ways to say a value of the data: only those that records really have count. */
export const aliases = parseTable(`
  email: mail, e mail, e-mail
  hardware: hw
  software: sw, application, app
  network: networking
  access: permission
  production: prod, live
  development: dev
  staging: stage
  database: db
  service desk: servicedesk, helpdesk, help desk
  identity and access: iam, identity & access, identity
`);

/** Words for fields that results can be grouped or filtered by. */
export const fieldWords = parseTable(`
  assignment_group: team, group, assignment group, queue, squad, department, resolver group, support group, support team, crew
  assigned_to: assignee, person, agent, engineer, technician, assigned to, owner, individual, team member, colleague, member, people,
    staff, user
  category: category, topic, area, kind of issue, type of issue, kind of problem, type of problem, kind of incident, type of incident,
    type, kind
  state: state, status, stage, phase
  status: status, state, health, condition
  priority: priority, prio, severity, urgency, sev, importance, criticality, level
  risk: risk, risk level, level of risk, level
  type: type, kind, change type, type of change, kind of change
  requested_by: requester, requestor, requested by, who request, person, people, employee, user, author
  requested_for: requested for, recipient, beneficiary
  item: item, catalog item, catalogue item, product, thing, article
  class: class, type, kind, type of asset, kind of asset, asset class, category
  environment: environment, env
  location: location, site, data center, datacenter, place, office, room
  owner: owner, who own
`);

const tables = [kinds, hints, dependencies, classes, meanings, fieldWords];

/** Words that say a value on their own, of whatever kind of record, and words for figures that no tool has. */
export const valueWords: ReadonlySet<string> = new Set([
  ...Object.values(meanings).flatMap((phrases) => phrases.split(', ')),
  ...'medium standard normal emergency operational average mean median ratio share percent trend escalate most fewest least'.split(
    ' ',
  ),
]);

/** Words with a meaning, for typing errors. */
export const knownWords: ReadonlySet<string> = new Set(
  [
    ...tables.flatMap((table) => Object.values(table)),
    'p1 p2 p3 p4 sorted priority medium standard normal emergency operational degraded retired',
  ].flatMap((phrases) => phrases.match(/[a-z0-9-]+/g) ?? []),
);

export function isKnownWord(word: string): boolean {
  return knownWords.has(word) || fillerWords.has(word) || smallWords.has(word);
}

/** `name: phrase, phrase` in each row; deeper lines continue a row. */
function parseTable(text: string): Readonly<Record<string, string>> {
  const rows = text.trim().split(/\n {2}(?! )/);
  return Object.fromEntries(
    rows.map((row) => {
      const [name = '', ...phrases] = row.split(': ');
      return [name.trim(), phrases.join(': ').replace(/\s+/g, ' ')];
    }),
  );
}

/** Fields with several values are lists. */
function parseMeaning(text: string): [field: string, value: unknown] {
  const [field = '', value = ''] = text.split('=');
  if (value === 'null') return [field, null];
  const isList = /^(state|priority|status|risk|type)$/.test(field) && value !== 'open';
  return [field, isList ? value.split('|') : value];
}
