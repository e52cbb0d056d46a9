// Loaded into the service by the bench `shares`: profiles the main thread and all workers between two messages, and
// writes one file for each thread into the folder that the last message names.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const session = new Session();
  const workers = new Map();
  const waiting = new Map();
  let calls = 0;
  const ask = (method, params) =>
    new Promise((resolve, reject) =>
      session.post(method, params, (error, result) => (error ? reject(error) : resolve(result))),
    );
  const askWorker = (sessionId, method, params) =>
    new Promise((resolve) => {
      const id = ++calls;
      waiting.set(`${sessionId} ${id}`, resolve);
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
    });
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) =>
    workers.set(sessionId, workerInfo.title),
  );
  session.on('NodeWorker.detachedFromWorker', ({ params: { sessionId } }) => workers.delete(sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) => {
    const { id, result } = JSON.parse(message);
    waiting.get(`${sessionId} ${id}`)?.(result);
  });
  const everywhere = async (method, params) => {
    const results = await Promise.all([
      ask(method, params).then((result) => ['main', result]),
      ...[...workers].map(async ([id, title]) => [title, await askWorker(id, method, params)]),
    ]);
    return results;
  };
  process.on('message', async ({ profile, folder }) => {
    if (profile === 'start') {
      if (calls === 0) session.connect();
      await ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
      await everywhere('Profiler.enable');
      await everywhere('Profiler.setSamplingInterval', { interval: 500 });
      await everywhere('Profiler.start');
    } else {
      const profiles = await everywhere('Profiler.stop');
      for (const [index, [title, { profile: data }]] of profiles.entries())
        writeFileSync(join(folder, `${index}.cpuprofile`), JSON.stringify({ ...data, title }));
    }
    process.send({ profile });
  });
}
