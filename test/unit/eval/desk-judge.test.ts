import {
  type Check,
  count,
  declinesOrder,
  type Expected,
  figure,
  judge,
  lasts,
  lists,
  never,
  onDay,
  percent,
  person,
  ranks,
  records,
  says,
} from '../../eval/desk/judge.ts';

const reply = (answer: string, ids: readonly string[] = [], status = 200) => ({
  status,
  answer,
  records: ids.map((id) => ({ id })),
  citations: [],
});

const cases: [name: string, check: Check, met: string[], missed: string[]][] = [
  [
    'a count',
    count(3),
    ['3 open incidents.', 'There are three.', '300 incidents, 3 of them open:'],
    ['P3', '2026-11-03', '- **INC0000003** Room 3'],
  ],
  [
    'a duration',
    lasts(90),
    ['1,5 h', 'about 90 min', '1 h 30 min on average', '1 hour and 31 minutes'],
    ['90 incidents', '3 h', '1 h'],
  ],
  ['a share', percent(0.06), ['6 %', '6.4%', '18 of 300'], ['60%', '6 incidents']],
  [
    'a person',
    says(...person('priya.raman@example.com')),
    ['Priya Raman did.', '- assigned to: priya.raman@example.com'],
    ['Priya Ramanova', 'a\nb\nPriya Raman'],
  ],
  [
    'a day',
    onDay('2026-11-03T20:00:00Z'),
    ['3 November, 20:00', 'Nov 3', '2026-11-03T20:00:00.000Z'],
    ['13 November', '2026-11-04'],
  ],
  [
    'a figure of a group',
    figure('network', 11),
    ['network: 11', '| network | 11 |', '11 of network'],
    ['network: 110', 'network: 3\nmail: 11'],
  ],
  [
    'a ranking',
    ranks(
      [
        { name: 'a team', count: 4 },
        { name: 'b team', count: 4 },
        { name: 'c team', count: 1 },
      ],
      2,
    ),
    ['b team: 4\na team: 4\nc team: 1'],
    ['c team: 1\na team: 4', 'a team'],
  ],
  [
    'an order',
    declinesOrder,
    ['I cannot change records. Open it in the console.'],
    ['I can only look up records.\n- description: see the console', 'Done.'],
  ],
];

describe('judge', () => {
  it.each(cases)('recognizes %s in several forms', (_, check, met, missed) => {
    expect(met.filter((answer) => !check(reply(answer)))).toEqual([]);
    expect(missed.filter((answer) => check(reply(answer)))).toEqual([]);
  });

  it('compares records as sets, and accepts a part of a long list with its total', () => {
    const many = Array.from({ length: 12 }, (_, index) => `INC00000${10 + index}`);
    expect(lists(many)(reply('12 incidents:', many.slice(0, 10)))).toBe(true);
    expect(lists(many)(reply('10 incidents:', many.slice(0, 10)))).toBe(false);
    expect(lists(many.slice(0, 2))(reply('2 incidents', many.slice(0, 3)))).toBe(false);
    expect(lists([])(reply('No incidents.'))).toBe(true);
  });

  it.each<[string, ReturnType<typeof reply>, Expected]>([
    ['right', reply('2 incidents', ['INC0000001', 'INC0000002']), records(['INC0000001', 'INC0000002'])],
    ['right', reply('I cannot answer that.'), { check: never, isRefusable: true }],
    ['refusal', reply('I did not understand "cost".\n\nI can answer "top 3 teams".'), { check: never }],
    ['partly', reply('I did not understand "cost".\n\n300 incidents'), { check: never }],
    ['wrong', reply('', [], 500), { check: never }],
    ['wrong', reply('9 incidents, 1 of them open', ['INC0000002']), records(['INC0000001'])],
    ['confidently wrong', reply('9 incidents'), { check: never, isRefusable: true }],
  ])('calls an answer %s', (verdict, answer, expected) => {
    expect(judge(answer, expected)).toBe(verdict);
  });
});
