import { compareWords, normalizeText } from '../../../lambdas/ai/cache/same-question.ts';

describe('compareWords', () => {
  it.each([
    ['What does error 0x80070005 mean?', 'What does error 0x80070020 mean?'],
    ['How do I restart db-1?', 'How do I restart db-2?'],
    ['What is the limit of 50 GB?', 'What is the limit of 100 GB?'],
    ['Is the VPN allowed at home?', 'Is the VPN not allowed at home?'],
    ['Why can I sign in?', "Why can't I sign in?"],
    ['How do I enable the archive?', 'How do I disable the archive?'],
    ['How do I unlock an account?', 'How do I lock an account?'],
    ['Who is in the network team?', 'Who is in the messaging team?'],
    ['How long do two approvals take?', 'How long do three approvals take?'],
    ['The account is locked', 'The account is not locked'],
    ['How do I pay an invoice?', 'Who may pay an invoice?'],
    ['Nobody in Lyon can print', 'Printing is impossible in Ghent'],
    ['API calls to the shop return an error', 'API calls from the shop return an error'],
    ['How do I move a desk from floor 2 to floor 3?', 'How do I move a desk from floor 3 to floor 2?'],
    ['Where do I see who changed a record?', 'Where do I see who may change a record?'],
    ['Gate B does not open for lorries', 'Gate B does not open for bicycles'],
  ])('separates %j from %j', (a, b) => {
    expect(compareWords(a, b)).toBe('different');
  });

  it.each([
    ['How do I reset the VPN password?', 'how can i reset my VPN password'],
    ['What does VPN error 809 mean?', 'Please explain what the VPN error 809 means'],
    ['Printer jams', 'Why is it that the printer jams?'],
    ['When may I put an incident on hold?', 'When can I put an incident on hold?'],
    ['How do I fix a paper jam?', 'How can we resolve paper jams?'],
  ])('treats %j and %j as equal', (a, b) => {
    expect(compareWords(a, b)).toBe('same');
  });

  it.each([
    ['The mailbox of sales is full', 'In sales, the mailbox has reached its limit'],
    ['We cannot connect to the database', 'Connections to the database are refused'],
    ['Where do I see my remaining leave?', 'How do I check the days of leave that remain?'],
  ])('leaves %j and %j to the encoder', (a, b) => {
    expect(compareWords(a, b)).toBe('unknown');
  });

  it('treats case, spaces and the end of a sentence as the same words', () => {
    expect(normalizeText('  What is\n VPN?! ')).toBe(normalizeText('what IS vpn.'));
  });
});
