// /_local: controls the clock, usage counters and faults, for developers and tests. It rejects remote addresses and web
// pages of other origins.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Faults, parseFault } from '../aws/faults.ts';
import { type Clock, maxReturnMs } from '../clock/clock.ts';
import { systemNow } from '../clock/shifted-date.ts';
import { maxDelayMs, type PropagationDelay, parseDelay } from '../dynamodb/propagation-delay.ts';
import { requireValue } from '../require-value.ts';
import { parseStorageFault, type StorageFaults } from '../storage/storage-faults.ts';

const maxBodyBytes = 10_000;
const faultUsage =
  'Send {"service": "bedrock", "error": "ThrottlingException", "times": 2}; "message" replaces the error\'s text; "silent": true in place of "error" simulates a timeout, "lost": true a response that is lost after the call succeeded; "operation", "caller" and "after" choose the calls that fail.';
const storageFaultUsage =
  'Send {"service": "storage", "at": "commit", "error": "ENOSPC", "after": 3, "times": 2}; "at" is statement, commit, flush or object, "error" is ENOSPC or EIO.';
const delayUsage = `Send {"service": "dynamodb", "delay_ms": 500}; at most ${maxDelayMs}. Global indexes and streams show a write after this time.`;
const usage =
  'Send {"advance": "42m30s"} (units: d, h, m, s, ms; at most one year), {"hold": true}, {"hold": false} or {"reset": true}. "schedules": ["sweep-sla"] runs only the schedules of these functions on the way.';

/** What receivers of signed webhooks tolerate, by the Standard Webhooks specification. */
const signatureToleranceMs = 5 * 60_000;
const warning =
  'The clock is more than 5 minutes ahead. Receivers with a clock of their own reject signed deliveries, because the timestamp is in the future.';

const tooFarAhead = `The clock is more than ${maxReturnMs / 60_000} minutes ahead. It cannot go back, because records, lists and tokens have later times. Start with an empty data folder (DATA_DIR), or restore a backup from before (npm run restore).`;

const calls = [
  'GET and POST /_local/clock',
  'GET and DELETE /_local/usage',
  'GET and DELETE /_local/metrics',
  'GET /_local/published',
  'GET /_local/outbox',
  'GET, POST and DELETE /_local/faults',
  'POST /_local/receiver',
  'DELETE /_local/workers',
];

interface ControlOptions {
  clock: Clock;
  /** Skips the schedules of all other functions; undefined runs all schedules. */
  runOnly(functionNames: readonly string[] | undefined): void;
  /** AWS calls and capacity since the last reset. */
  usage(): unknown;
  resetUsage(): void;
  /** The latest messages of all topics, oldest first. */
  published(): unknown;
  /** The latest e-mails and text messages that were not sent, newest first. */
  outbox(): unknown;
  /** Metrics since the last reset, and the alarms that they would raise. */
  metrics(): unknown;
  resetMetrics(): void;
  faults: Faults;
  storageFaults: StorageFaults;
  delay: PropagationDelay;
  /** Ends idle workers, so that the next call of each function is a cold start. */
  endWorkers(): void;
}

export class Control {
  private readonly options: ControlOptions;

  constructor(options: ControlOptions) {
    this.options = options;
  }

  async handle(request: IncomingMessage, response: ServerResponse, isAllowedOrigin: boolean): Promise<void> {
    if (!isLoopback(request.socket.remoteAddress))
      return sendJson(response, 403, { message: '/_local is only available on loopback' });
    if (!isAllowedOrigin) return sendJson(response, 403, { message: '/_local rejects web pages of other origins' });
    const call = `${request.method} ${(request.url ?? '').split('?')[0]}`;
    if (call === 'GET /_local/clock') return sendJson(response, 200, this.time());
    if (call === 'POST /_local/clock') return this.moveClock(request, response);
    if (call === 'POST /_local/receiver') return receiveDelivery(request, response);
    if (call === 'GET /_local/usage') return sendJson(response, 200, this.options.usage());
    if (call === 'GET /_local/published') return sendJson(response, 200, this.options.published());
    if (call === 'GET /_local/outbox') return sendJson(response, 200, { data: this.options.outbox() });
    if (call === 'DELETE /_local/usage') {
      this.options.resetUsage();
      return sendJson(response, 200, {});
    }
    if (call === 'GET /_local/metrics') return sendJson(response, 200, this.options.metrics());
    if (call === 'DELETE /_local/metrics') {
      this.options.resetMetrics();
      return sendJson(response, 200, {});
    }
    if (call === 'GET /_local/faults') return sendJson(response, 200, this.listFaults());
    if (call === 'POST /_local/faults') return this.setFault(request, response);
    if (call === 'DELETE /_local/faults') {
      this.options.faults.clear();
      this.options.storageFaults.clear();
      await this.options.delay.set(0);
      return sendJson(response, 200, {});
    }
    if (call === 'DELETE /_local/workers') {
      this.options.endWorkers();
      return sendJson(response, 200, {});
    }
    return sendJson(response, 404, { message: `Unknown operation. Available: ${calls.join(', ')}.` });
  }

  private async setFault(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isJson(request)) return sendJson(response, 415, { message: 'Send application/json.' });
    const command = await readCommand(request);
    if (command.service === 'storage') return this.setStorageFault(command, response);
    if ('delay_ms' in command) return this.setDelay(command, response);
    const wanted = parseFault(command);
    if (!wanted) return sendJson(response, 400, { message: faultUsage });
    this.options.faults.set(wanted.service, wanted.fault);
    return sendJson(response, 200, this.listFaults());
  }

  private setStorageFault(command: Record<string, unknown>, response: ServerResponse): void {
    const fault = parseStorageFault(command);
    if (fault) this.options.storageFaults.set(fault);
    sendJson(response, fault ? 200 : 400, fault ? this.listFaults() : { message: storageFaultUsage });
  }

  private async setDelay(command: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const delayMs = command.service === 'dynamodb' ? parseDelay(command) : undefined;
    if (delayMs === undefined) return sendJson(response, 400, { message: delayUsage });
    await this.options.delay.set(delayMs);
    sendJson(response, 200, this.listFaults());
  }

  private listFaults() {
    const { current } = this.options.storageFaults;
    const { ms } = this.options.delay;
    return {
      ...this.options.faults.list(),
      ...(current && { storage: current }),
      ...(ms > 0 && { dynamodb_delay_ms: ms }),
    };
  }

  private time() {
    const { clock } = this.options;
    const time = { now: new Date(clock.now()).toISOString(), offset_ms: clock.offsetMs, held: clock.isHeld };
    const returnsAt = new Date(systemNow() + 2 * clock.returningMs).toISOString();
    return {
      ...time,
      ...(clock.returningMs > 0 && { returns_at: returnsAt }),
      ...(clock.offsetMs > signatureToleranceMs && { warning }),
    };
  }

  private async moveClock(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isJson(request)) return sendJson(response, 415, { message: 'Send application/json.' });
    const { advance, hold, reset, schedules } = await readCommand(request);
    const ms = typeof advance === 'string' ? parseDuration(advance) : undefined;
    if (
      (ms === undefined && typeof hold !== 'boolean' && reset !== true) ||
      !(schedules === undefined || Array.isArray(schedules))
    )
      return sendJson(response, 400, { message: usage });
    const { clock } = this.options;
    if (hold === true) clock.hold();
    if (hold === false) clock.release();
    if (ms !== undefined) await this.advance(ms, schedules?.map(String));
    if (reset === true && !(await clock.reset())) return sendJson(response, 409, { message: tooFarAhead });
    return sendJson(response, 200, this.time());
  }

  /** Limiting the schedules saves time: running all of them takes half a second per hour of virtual time. */
  private async advance(ms: number, schedules: readonly string[] | undefined): Promise<void> {
    const { clock, runOnly } = this.options;
    runOnly(schedules);
    try {
      await clock.advance(ms);
    } finally {
      runOnly(undefined);
    }
  }
}

/** A receiver for the demo's outbound webhook. It is unavailable for the first attempt of some deliveries. */
function receiveDelivery(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const { 'x-service-delivery': id, 'x-service-attempt': attempt } = request.headers;
  const isUnavailable = attempt === '1' && String(id).charCodeAt(String(id).length - 1) % 3 === 0;
  if (isUnavailable) sendJson(response, 503, { message: 'The demo receiver accepts the next attempt.' });
  else sendJson(response, 200, { message: 'Received.' });
}

function isJson(request: IncomingMessage): boolean {
  return request.headers['content-type']?.startsWith('application/json') ?? false;
}

async function readCommand(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > maxBodyBytes) return {};
  }
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isLoopback(address: string | undefined): boolean {
  const plain = (address ?? '').replace(/^::ffff:/, '');
  return plain === '::1' || plain.startsWith('127.');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}

const unitsMs: Record<string, number> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Every timer that becomes due runs, so moving the clock further would take too long. */
const maxDurationMs = 366 * requireValue(unitsMs.d);

/** Parses 42m30s, 1h, 500ms, 2d; undefined when invalid or longer than a year. */
function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|d|h|m|s))+$/.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|d|h|m|s)/g))
    totalMs += Number(amount) * requireValue(unitsMs[unit ?? '']);
  return totalMs <= maxDurationMs ? totalMs : undefined;
}
