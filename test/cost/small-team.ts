// The monthly bill of a small team: what an idle deployment costs, and an assumed use of it at list prices.
import type { IdleLine } from './idle-costs.ts';
import { freeTier, perMillion, perMonth } from './prices.ts';

const minutesPerMonth = 43_800;
const programs = 5;
/** 20 people with 200 requests on each of 22 workdays. */
const requestsOfPeople = 88_000;
const alerts = 2_000;
const canaryWrites = minutesPerMonth / 15;
const tracedShare = 0.05;
const kilobytesPerRequest = 2;
const businessMetrics = 20;

/** Dollars per million requests of an operation, such as `GET /incidents`. */
type Price = (operation: string) => number;

type Mix = Readonly<Record<string, number>>;

/** Part of an idle deployment: it sends requests of its own. */
export function priceCanary(price: Price): IdleLine {
  const mix = {
    'GET /health': minutesPerMonth,
    'GET /cmdb/cis': minutesPerMonth,
    'POST /cmdb/cis': canaryWrites,
    'GET /cmdb/cis/{id}': canaryWrites,
    'DELETE /cmdb/cis/{id}': canaryWrites,
  };
  return priceMix('Requests of the canary', mix, price);
}

function priceMix(name: string, mix: Mix, price: Price): IdleLine {
  const count = Object.values(mix).reduce((sum, each) => sum + each, 0);
  const dollars = Object.entries(mix).reduce((sum, [operation, each]) => sum + (each * price(operation)) / 1e6, 0);
  return { name, count: format(count), dollars, dollarsAfterFreeTier: dollars };
}

export function listTeamCosts(idle: readonly IdleLine[], price: Price): IdleLine[] {
  const requests = (name: string, mix: Mix) => priceMix(name, mix, price);
  const priced = (name: string, count: number, dollarsEach: number, free = 0): IdleLine => ({
    name,
    count: format(count),
    dollars: count * dollarsEach,
    dollarsAfterFreeTier: Math.max(0, count - free) * dollarsEach,
  });
  const sum = (read: (line: IdleLine) => number) => idle.reduce((total, line) => total + read(line), 0);
  const total = requestsOfPeople + alerts + (programs + 2) * minutesPerMonth;
  return [
    {
      name: 'Idle deployment, as above',
      count: '1',
      dollars: sum(({ dollars }) => dollars),
      dollarsAfterFreeTier: sum(({ dollarsAfterFreeTier }) => dollarsAfterFreeTier),
    },
    requests('Requests of 20 people', {
      'GET /incidents': requestsOfPeople * 0.5,
      'GET /incidents/{id}': requestsOfPeople * 0.3,
      'PATCH /incidents/{id}': requestsOfPeople * 0.1,
      'POST /incidents/{id}/notes': requestsOfPeople * 0.1,
    }),
    requests(`Requests of ${programs} programs, one a minute each`, { 'GET /incidents': programs * minutesPerMonth }),
    requests('Alerts', { 'POST /webhooks/inbound/{id}': alerts }),
    priced('Tokens of the programs and the canary', (programs + 1) * 31, perMillion.programTokens / 1e6),
    priced('Business metrics', businessMetrics, perMonth.metric, freeTier.metrics),
    priced('Traces', Math.round(total * tracedShare), perMillion.traces / 1e6, freeTier.traces),
    priced(
      'Logs in MB',
      Math.round((total * kilobytesPerRequest) / 1_000),
      perMonth.logGigabyte / 1_000,
      freeTier.logMegabytes,
    ),
  ];
}

function format(count: number): string {
  return Math.round(count).toLocaleString('en');
}
