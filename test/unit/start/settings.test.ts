import { readSettings } from '../../../bin/settings.ts';

describe('settings of npm start', () => {
  it('defaults to the built-in model, demo data and port 3000', () => {
    expect(readSettings([], {})).toMatchObject({ port: 3000, host: '127.0.0.1', empty: false, llm: undefined });
  });

  it('accepts additional host names', () => {
    expect(readSettings([], {}).allowedHosts).toEqual([]);
    const { allowedHosts } = readSettings([], { ALLOWED_HOSTS: 'incidents.lan, proxy.lan:8443' });
    expect(allowedHosts).toEqual(['incidents.lan', 'proxy.lan:8443']);
  });

  it('accepts an external language model', () => {
    const args = ['--empty', '--llm', 'http://localhost:11434', '--llm-model=qwen3:8b'];
    expect(readSettings(args, { LLM_API_KEY: 'key' })).toMatchObject({
      empty: true,
      llm: { url: 'http://localhost:11434', model: 'qwen3:8b', apiKey: 'key' },
    });
  });

  it.each([
    [['--nope'], /^Unknown option --nope/],
    [['nope'], /^Unknown option nope/],
    [['--llm', 'ollama', '--llm-model', 'a'], /^--llm needs the address/],
    [['--llm'], /^--llm needs the address/],
    [['--llm-model', 'a'], /^--llm needs the address/],
    [['--llm', 'http://localhost:11434'], /^--llm-model needs the name/],
  ])('rejects %j in one line', (args, message) => {
    expect(() => readSettings(args, {})).toThrow(message);
  });
});
