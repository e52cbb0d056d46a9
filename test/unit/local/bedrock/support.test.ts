import { Evidence } from '../../../../local/bedrock/extractive/evidence.ts';
import { identifiersIn } from '../../../../local/bedrock/extractive/identifiers.ts';
import { focusOf } from '../../../../local/bedrock/extractive/question-focus.ts';
import { supportOf } from '../../../../local/bedrock/extractive/support.ts';

describe('identifiersIn', () => {
  it.each([
    ['What does 2000-0333 mean?', ['2000-0333']],
    ['RISK-UNFAMILIAR-LOCATION for a colleague', ['risk', 'unfamiliar', 'location']],
    ['DNS answers REFUSED', ['refused']],
    ['The zone transfer ends with NXDOMAIN', ['nxdomain']],
    ['59.C0 on the printer', ['59.c0']],
    ['13.45 on the panel', ['13.45']],
    ['Event 4625 in the log', ['4625']],
    ['VPN says 789', ['789']],
    ['error 24', ['24']],
    ['0x80070005 when I install', ['0x80070005']],
  ])('takes codes of every shape: %s', (question, codes) => {
    expect(identifiersIn(question).codes).toEqual(codes);
  });

  it.each([
    'a disk of 500 GB',
    'my 30GB mailbox',
    'after 120 minutes',
    'more than 300 messages an hour',
    'channels 120 to 128',
    'who leads a P1?',
    'the 2nd screen',
    'PLEASE HELP WITH THE PRINTERS',
  ])('does not take what is counted or shouted for a code: %s', (question) => {
    expect(identifiersIn(question).codes).toEqual([]);
  });
});

describe('focusOf', () => {
  it.each([
    ['How do I record a video call?', 'record', ['video', 'call']],
    ['How many screens may I order for my desk?', 'order', ['desk']],
    ['Who cleans the server room?', 'clean', ['server', 'room']],
    ['How do I remove it from all mailboxes?', 'remov', ['mailbox']],
    ['The printer is on fire', undefined, []],
  ])('knows what is to be done and to what: %s', (question, action, subjects) => {
    expect(focusOf(question)).toMatchObject({ action, subjects });
  });

  it.each([
    ['How many clients can one radio take?', ['client']],
    ['How long does a lock last?', expect.arrayContaining(['minut', 'hour'])],
    ['What is a lock?', undefined],
    ['How much does a page cost?', expect.arrayContaining(['euro'])],
    ['What should I do when the prices in the shop are wrong?', undefined],
  ])('knows of what there is to be a number: %s', (question, counted) => {
    expect(focusOf(question).counted).toEqual(counted);
  });
});

describe('supportOf', () => {
  const text =
    'Pages come out white. Replace the toner. A pack of toner lasts 9,000 pages. Light 3, 5: the drum is broken. ' +
    'Shake the drum. Do **not** open the drum.';
  const support = (question: string, strange: Record<string, number> = {}, fit = true) => {
    const document = {
      source: 'KB1',
      kind: 'article',
      title: 'Printer prints blank pages',
      relevance: 0.6,
      fit: fit ? { mean: 0.8, strange: new Map(Object.entries(strange)) } : undefined,
      text,
    };
    return supportOf(focusOf(question), document, new Evidence([document]));
  };

  it('is there for a question in other words', () => {
    expect(support('The printer gives me white sheets only')).toBeGreaterThan(0.9);
  });

  it('is missing when a word does not fit that the document does not have', () => {
    expect(support('The plotter prints blank pages', { plotter: 0.35 })).toBeUndefined();
  });

  it('is missing when a thing that is asked about is not there', () => {
    expect(support('How do I replace the toner of my scale?', { scal: 0.03 })).toBeUndefined();
  });

  it('is missing when what is to be done is said of nothing', () => {
    expect(support('How do I sell the toner?', { sell: 0.05 })).toBeUndefined();
    expect(support('How do I replace the toner?', { replac: 0.05 })).toBeDefined();
  });

  it('is missing when what is to be done is only forbidden', () => {
    expect(support('How do I shake the drum?', { shak: 0.05 })).toBeDefined();
    expect(support('How do I open the drum?', { open: 0.05 })).toBeUndefined();
  });

  it('is missing when no number is told of what is asked for', () => {
    expect(support('How many pages does a pack of toner last?')).toBeDefined();
    expect(support('How many colours does the printer have?')).toBeUndefined();
    expect(support('How much does a pack of toner cost?')).toBeUndefined();
  });

  it('needs the very code, and numbers that stand together', () => {
    expect(support('The printer shows 59.C0')).toBeUndefined();
    expect(support('The light of the printer blinks 3, 5')).toBeDefined();
    expect(support('The light of the printer blinks 3, 1')).toBeUndefined();
  });

  it('forgives a letter', () => {
    expect(support('How do I repalce the tonner of the printer?', { tonner: 0.1 })).toBeDefined();
  });

  it('is missing for what was found too far down to be compared, unless it has the very code', () => {
    const near = { source: 'KB1', kind: 'article', title: 'Scanners', relevance: 0.6, text };
    const compared = { ...near, fit: { mean: 0.3, strange: new Map() } };
    const far = { ...near, source: 'KB2', title: 'Printer error 59.C0', fit: undefined };
    const evidence = new Evidence([compared, far]);
    expect(supportOf(focusOf('The printer prints white pages'), far, evidence)).toBeUndefined();
    expect(supportOf(focusOf('The printer shows 59.C0'), far, evidence)).toBeDefined();
  });

  it('goes by the words alone where nobody compared what they mean', () => {
    expect(support('Why does the printer print blank pages?', {}, false)).toBeDefined();
    expect(support('Why does the plotter print in pink?', {}, false)).toBeUndefined();
  });
});
