import { parseItems } from '../../../console/features/cmdb/pasted-items.ts';
import { type FieldSpec, toCreation, toDraft, toPatch } from '../../../console/records/record-draft.ts';

describe('the draft of a record', () => {
  const fields: FieldSpec[] = [
    { name: 'name', kind: 'summary' },
    { name: 'owner', kind: 'line' },
    { name: 'ci_ids', kind: 'cis' },
    { name: 'relations', kind: 'relations' },
    { name: 'attributes', kind: 'json' },
  ];
  const record = {
    name: 'web-01',
    owner: 'platform',
    ci_ids: ['CI1', 'CI2'],
    relations: [{ type: 'runs_on', ci_id: 'CI0000007' }],
    attributes: { cpus: 8, os: { name: 'Debian' } },
  };

  it('contains a whole record without changes', () => {
    expect(toPatch(toDraft(record, fields), record, fields)).toEqual({});
    expect(toCreation(toDraft(record, fields), fields)).toEqual(record);
  });

  it('lists removed names of an object, because objects are merged', () => {
    const draft = { ...toDraft(record, fields), attributes: '{"cpus": 16}', owner: '', ci_ids: 'CI2' };
    expect(toPatch(draft, record, fields)).toEqual({
      attributes: { cpus: 16, os: null },
      owner: null,
      ci_ids: ['CI2'],
    });
  });

  it.each(['{', '[]', '"x"', 'null'])('rejects %s as an object', (text) => {
    const draft = { ...toDraft(record, fields), attributes: text };
    expect(() => toPatch(draft, record, fields)).toThrow('The field attributes must be a JSON object');
  });
});

describe('items that were pasted', () => {
  it('are parsed from spreadsheets and files', () => {
    const items = [
      { name: 'a, "b"', class: 'server' },
      { name: 'c', class: 'host', ip_address: '10.0.0.1' },
    ];
    expect(parseItems('Name,Class,IP address\n"a, ""b""",server,\n\nc,host,10.0.0.1\n')).toEqual(items);
    expect(parseItems('name\tclass\tip_address\r\na, """b"""\tserver\r\nc\thost\t10.0.0.1')).toMatchObject([
      { class: 'server' },
      items[1]!,
    ]);
  });

  it.each([
    ['name,colour\na,red', 'Unknown fields in the header row: colour.'],
    ['name\na', 'The header row must include name and class.'],
    ['name,class\na,b,c', 'Row 2 has more values than the header row has fields.'],
    ['', 'The header row'],
  ])('rejects %j', (text, why) => {
    expect(() => parseItems(text)).toThrow(why);
  });
});
