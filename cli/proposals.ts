import type { Command } from './command.ts';
import { readText } from './command.ts';

const decide = (verb: 'approve' | 'reject', summary: string): Command => ({
  name: `proposals ${verb}`,
  args: '<proposal>',
  minArgs: 1,
  summary,
  options: { note: { type: 'string', value: 'text', description: 'Note for the proposer.' } },
  async run({ args: [id = ''], options, output, connect }) {
    const client = await connect();
    const proposal = await client[`${verb}Proposal`]({ id }, { note: readText(options, 'note') ?? null });
    const { state, record_id, error } = proposal;
    if (error) throw new Error(`${id} could not be applied: ${error.detail}`);
    output.result(`${id} ${state}${record_id ? ` (${record_id})` : ''}`, proposal);
  },
});

export const proposalCommands: Command[] = [
  {
    name: 'proposals list',
    summary: 'List proposals that await approval',
    options: { all: { type: 'boolean', description: 'Also list those that are decided.' } },
    async run({ options, output, connect }) {
      const rows = [];
      const query = options.all === true ? {} : { state: 'pending' as const };
      for await (const proposal of (await connect()).listProposals.all(query)) rows.push(proposal);
      output.table(rows, ['id', 'operation', 'record_id', 'state', 'requested_by', 'evidence']);
    },
  },
  decide('approve', 'Approve a proposal, which applies it once'),
  decide('reject', 'Reject a proposal'),
];
