import type { PastTools } from '../../local/past.ts';
import type { ApprovalStep } from './approval-story.ts';
import { callService } from './demo-call.ts';

const paths = { approve: '/approve', reject: '/reject', update: '', create: '' } as const;

/** Plays steps of changes and service requests, and remembers which record is which. */
export function approvalPlayer(stackName: string, tools: PastTools) {
  const ids = new Map<string, string>();
  return async ({ record, action, actor, role, body, atMs }: ApprovalStep): Promise<string> => {
    const kind = record.split(' ')[0]!;
    const id = ids.get(record);
    const answer = await callService(
      {
        name: `${action}-${kind}`,
        method: action === 'update' ? 'PATCH' : 'POST',
        path: id === undefined ? `/${kind}s` : `/${kind}s/${id}${paths[action]}`,
        ...(id === undefined ? {} : { id }),
        actor,
        role,
        body,
        atMs,
      },
      stackName,
      tools,
    );
    ids.set(record, answer.id);
    return answer.id;
  };
}
