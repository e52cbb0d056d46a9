import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { findRoute, readBody } from '../../../cli/api.ts';
import { commands } from '../../../cli/commands.ts';
import { complete } from '../../../cli/completion.ts';
import { operationTable } from '../../../client/index.ts';
import { commandPageFile, renderCommandPage } from '../../../tools/generate/command-page.ts';
import { runInProcess } from '../../support/command-line.ts';

const itsm = (...args: string[]) => runInProcess(args, {});
const completeWords = (...words: string[]) => complete(words).map(({ word }) => word);

describe('itsm --help', () => {
  it('shows the help for -h, --help and help', async () => {
    const { stdout } = await itsm('--help');
    expect(stdout).toMatch(/^itsm <command>/);
    expect([await itsm('-h'), await itsm('help'), await itsm()]).toMatchObject([{ stdout }, { stdout }, { stdout }]);
    const ofCommand = await itsm('incidents', 'list', '-h');
    expect(ofCommand).toMatchObject({ code: 0, stdout: expect.stringContaining('--state new,in_progress') });
    expect(await itsm('help', 'incidents', 'list')).toEqual(ofCommand);
  });
});

describe('docs/command-line.md', () => {
  it('lists the commands (npm run generate updates it)', () => {
    expect(readFileSync(commandPageFile, 'utf8')).toBe(renderCommandPage());
  });
});

describe('a misspelt command', () => {
  it('suggests the closest command or option and prints nothing else', async () => {
    const outcomes = [
      ['incidnets', 'list'],
      ['incident', 'get', 'INC1'],
      ['incdents'],
      ['docter'],
      ['api', 'GET', '/incident'],
    ];
    const messages = await Promise.all(outcomes.map((args) => itsm(...args)));
    expect(messages).toMatchObject(outcomes.map(() => ({ code: 2, stdout: '' })));
    expect(messages.map(({ stderr }) => /Did you mean (.*)\?/.exec(stderr)?.[1])).toEqual([
      'itsm incidents list',
      'itsm incidents get',
      'itsm incidents',
      'itsm doctor',
      'GET /incidents',
    ]);
    expect((await itsm('incidents', 'list', '--prioritty', 'P1')).stderr).toContain('Did you mean --priority?');
    expect((await itsm('zzzzzz')).stderr).toMatch(/^There is no command "zzzzzz"\.\n/);
    expect(await itsm('incidents')).toMatchObject({ code: 2, stderr: expect.stringContaining('list, get, create') });
  });
});

describe('itsm api', () => {
  it('finds the operation of every method and path of the API', () => {
    const found = Object.values(operationTable).map(({ method, path }) => {
      const route = findRoute(method, path.replaceAll(/\{(\w+)\}/g, 'one-$1'));
      return route && { ...route, params: Object.values(route.params) };
    });
    expect(found.map((route) => route?.name)).toEqual(Object.keys(operationTable));
    expect(findRoute('get', 'incidents/INC%2F1')?.params).toEqual({ id: 'INC/1' });
    expect(findRoute('GET', '/prod/api/v1/incidents/statistics')?.name).toBe('getIncidentStatistics');
    expect(findRoute('PUT', '/incidents')).toBeUndefined();
  });

  it('converts fields to numbers, booleans, null, lists, objects and text of standard input', async () => {
    const fields = [
      'a=1',
      'b=-2.5',
      'c=true',
      'd=null',
      'e=x=y',
      'f=',
      'g[]=1',
      'g[]=two',
      'h[i][j]=1',
      'k=@-',
      'l=007',
      'm=1e3',
    ];
    expect(await readBody({ field: fields, 'raw-field': ['n=1'] }, Readable.from(['from', ' stdin']))).toEqual({
      a: 1,
      b: -2.5,
      c: true,
      d: null,
      e: 'x=y',
      f: '',
      g: [1, 'two'],
      h: { i: { j: 1 } },
      k: 'from stdin',
      l: '007',
      m: '1e3',
      n: '1',
    });
    expect(await readBody({}, Readable.from([]))).toBeUndefined();
    const stdin = () => Readable.from(['{"a":1,"b":2}']);
    expect(await readBody({ input: '-', field: ['b=3'] }, stdin())).toEqual({ a: 1, b: 3 });
    const wrong = [
      { field: ['a'] },
      { field: ['__proto__[x]=1'] },
      { field: ['a=1', 'a[b]=1'] },
      { field: ['k=@/no/file'] },
    ];
    for (const options of wrong) await expect(readBody(options, Readable.from([]))).rejects.toThrow(/-f/);
    await expect(readBody({ input: '-' }, Readable.from(['{']))).rejects.toThrow('is not JSON');
  });
});

describe('complete', () => {
  it('completes commands, options and values from the table of commands', () => {
    expect(completeWords('inc')).toEqual(['incidents']);
    expect(completeWords('incidents', 're')).toEqual(['resolve']);
    expect(completeWords('incidents', 'list', '--pri')).toEqual(['--priority']);
    expect(completeWords('incidents', 'list', '--state', 'r')).toEqual(['resolved', 'reopened']);
    expect(completeWords('incidents', 'list', '--state', 'new,o')).toEqual(['new,on_hold']);
    expect(completeWords('events', 'tail', '--type', 'sla.')).toEqual(['sla.breach_warning', 'sla.breached']);
    expect(completeWords('api', 'PA')).toEqual(['PATCH']);
    expect(completeWords('api', 'GET', '/cmdb/cis/{id}/i')).toEqual(['/cmdb/cis/{id}/impact']);
    expect(completeWords('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(completeWords('incidents', 'get', '')).toEqual([]);
  });

  it('knows every command and every option', () => {
    for (const { name, options } of commands) {
      expect(completeWords(...name.split(' '))).toContain(name.split(' ').at(-1));
      const flags = Object.keys(options ?? {}).map((option) => `--${option}`);
      expect(completeWords(...name.split(' '), '--')).toEqual(
        expect.arrayContaining([...flags, '--json', '--profile']),
      );
    }
  });
});
