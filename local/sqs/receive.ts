// ReceiveMessage with long polling: a call that finds nothing waits for the first message, on the runtime's clock.
import type { Input } from '../aws/service.ts';
import type { SqsCore } from './core.ts';
import { invalidValue } from './error.ts';
import { messageAttributesDigest, selectMessageAttributes } from './message-attributes.ts';
import type { TakenMessage } from './message-store.ts';
import type { Queue } from './queue.ts';

export async function receive(core: SqsCore, queue: Queue, input: Input) {
  const max = input.MaxNumberOfMessages ?? 1;
  const hideSeconds = input.VisibilityTimeout ?? queue.settings.VisibilityTimeout;
  const waitSeconds = input.WaitTimeSeconds ?? queue.settings.ReceiveMessageWaitTimeSeconds;
  check('MaxNumberOfMessages', max, 1, 10, 'Must be between 1 and 10, if provided.');
  check('VisibilityTimeout', hideSeconds, 0, 43_200, 'Must be between 0 and 43200, if provided.');
  check('WaitTimeSeconds', waitSeconds, 0, 20, 'Must be >= 0 and <= 20, if provided.');

  const take = () => core.take(queue, max, hideSeconds);
  let taken = await take();
  if (taken.length === 0 && waitSeconds > 0) taken = await takeWhenAvailable(core, queue, waitSeconds, take);
  return taken.length === 0 ? {} : { Messages: taken.map((message) => answer(message, input)) };
}

/** Another caller may be quicker, so it keeps listening until it got something or the time is over. */
function takeWhenAvailable(core: SqsCore, queue: Queue, waitSeconds: number, take: () => Promise<TakenMessage[]>) {
  return new Promise<TakenMessage[]>((resolve, reject) => {
    let taking = false;
    const end = (settle: () => void) => {
      stopListening();
      stopWaiting();
      timer.cancel();
      settle();
    };
    const attempt = async () => {
      if (taking) return;
      taking = true;
      try {
        const taken = await take();
        if (taken.length > 0) end(() => resolve(taken));
      } catch (error) {
        end(() => reject(error));
      } finally {
        taking = false;
      }
    };
    const stopListening = core.onAvailable(queue, () => void attempt());
    const stopWaiting = core.onStop(() => end(() => resolve([])));
    const timer = core.clock.after(waitSeconds * 1000, () => end(() => resolve([])));
  });
}

function answer(message: TakenMessage, input: Input) {
  const attributes = selectMessageAttributes(message.attributes, input.MessageAttributeNames ?? []);
  const digest = messageAttributesDigest(attributes);
  const names: string[] = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])];
  const system = Object.entries(message.systemAttributes).filter(
    ([name]) => names.includes('All') || names.includes(name),
  );
  return {
    MessageId: message.id,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: message.bodyDigest,
    Body: message.body,
    ...(system.length > 0 ? { Attributes: Object.fromEntries(system) } : {}),
    ...(digest === undefined ? {} : { MD5OfMessageAttributes: digest, MessageAttributes: attributes }),
  };
}

function check(name: string, value: unknown, least: number, most: number, reason: string): void {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return;
  throw invalidValue(`Value ${value} for parameter ${name} is invalid. Reason: ${reason}`);
}
