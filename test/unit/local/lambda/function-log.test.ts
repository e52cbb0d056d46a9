import { aFunction, aStage, type Stage } from './function-fixture.ts';

describe('a function’s log', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  const linesOf = async (code: string) => {
    stage = await aStage([aFunction('F', `exports.handler = async (event) => { ${code} }`)]);
    await stage.functions.invoke('shop-F', {}, { requestId: 'r-1' });
    return stage.logged;
  };

  it('keeps the level of each console method', async () => {
    const known = { function: 'shop-F', request_id: 'r-1' };
    const code = "console.log('a %d', 1); console.debug('b'); console.warn('c'); console.error({ d: 1 })";
    expect(await linesOf(code)).toEqual([
      { level: 'info', message: 'a 1', ...known },
      { level: 'debug', message: 'b', ...known },
      { level: 'warn', message: 'c', ...known },
      { level: 'error', message: '{ d: 1 }', ...known },
    ]);
  });

  it('cuts direct writes into lines', async () => {
    const code =
      "process.stdout.write('one\\ntw'); process.stdout.write(Buffer.from('o\\n')); process.stderr.write('three\\n')";
    expect((await linesOf(code)).map(({ level, message }) => [level, message])).toEqual([
      ['info', 'one'],
      ['info', 'two'],
      ['error', 'three'],
    ]);
  });

  it('merges a structured line instead of nesting it', async () => {
    const code = `process.stdout.write(JSON.stringify({ level: 'WARN', message: 'slow', latency_ms: 7, service: 's' }) + '\\n')`;
    expect(await linesOf(code)).toEqual([
      { level: 'warn', message: 'slow', latency_ms: 7, service: 's', function: 'shop-F', request_id: 'r-1' },
    ]);
  });

  it('takes a line that only looks like JSON as text', async () => {
    expect(await linesOf("console.log('{not json}')")).toMatchObject([{ level: 'info', message: '{not json}' }]);
  });

  it('tells interleaved calls apart', async () => {
    const code =
      'exports.handler = async (event) => { await new Promise((done) => setTimeout(done, 5)); console.log(event); }';
    stage = await aStage([aFunction('F', code)]);
    await Promise.all(['x', 'y'].map((id) => stage.functions.invoke('shop-F', id, { requestId: id })));
    expect(stage.logged.map(({ message, request_id }) => [message, request_id]).sort()).toEqual([
      ['x', 'x'],
      ['y', 'y'],
    ]);
  });

  it('keeps the last lines of a call for the caller who asks', async () => {
    stage = await aStage([aFunction('F', "exports.handler = async () => console.log('kept')")]);
    expect(await stage.functions.invoke('shop-F', {}, { logs: 'tail' })).toEqual({ payload: null, logs: 'kept' });
  });

  it('shows what ended a worker', async () => {
    await linesOf("setTimeout(() => { throw new Error('uncaught') }, 0); await new Promise(() => {})");
    expect(stage.logged).toMatchObject([{ level: 'error', message: 'uncaught', errorType: 'Error' }]);
  });
});
