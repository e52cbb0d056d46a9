import { type Command, readText } from './command.ts';

export const assistantCommands: Command[] = [
  {
    name: 'ask',
    args: '<question>',
    minArgs: 1,
    summary: 'Ask the knowledge base',
    options: { incident: { type: 'string', value: 'id', description: 'Incident that the question refers to.' } },
    async run({ args, options, output, connect }) {
      const id = readText(options, 'incident');
      const answer = await (await connect()).askQuestion({
        question: args.join(' '),
        ...(id ? { context_record: { type: 'incident', id } } : {}),
      });
      const sources = [...answer.citations, ...answer.related].map(
        ({ article_id, title }) => `  ${article_id}  ${title}`,
      );
      output.result([answer.answer, ...sources].join('\n'), answer);
    },
  },
  {
    name: 'query',
    args: '<question>',
    minArgs: 1,
    summary: 'Ask about records: "how many P1 incidents are open?"',
    async run({ args, output, connect }) {
      const answer = await (await connect()).queryRecords({ query: args.join(' ') });
      const records = answer.records.map(({ id, title }) => `  ${id}  ${title}`);
      output.result([answer.answer, ...records].join('\n'), answer);
    },
  },
];
