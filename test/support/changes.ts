// Changes in every state, made through the API.
import type { Api, Fields } from './incidents.ts';

export function createChangeBuilders({ agent, manager, viewer }: Record<'agent' | 'manager' | 'viewer', Api>) {
  async function aChange(fields: Fields = {}, by: Api = agent): Promise<{ id: string } & Record<string, unknown>> {
    const answer = await by.post('/changes', { short_description: 'Renew the certificate', ...fields });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  /** What leads from `submitted` to each state. */
  const ways: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    submitted: async () => {},
    approved: (id) => manager.post(`/changes/${id}/approve`, {}),
    rejected: (id) => manager.post(`/changes/${id}/reject`, {}),
    implementing: async (id) => {
      await ways.approved!(id);
      await agent.patch(`/changes/${id}`, { state: 'implementing' });
    },
    completed: async (id) => {
      await ways.implementing!(id);
      await agent.patch(`/changes/${id}`, { state: 'completed' });
    },
    cancelled: (id) => agent.patch(`/changes/${id}`, { state: 'cancelled' }),
  };

  async function aChangeIn(state: string): Promise<string> {
    const { id } = await aChange(state === 'draft' ? { state } : {});
    await ways[state]?.(id);
    expect((await viewer.get(`/changes/${id}`)).body.state).toBe(state);
    return id;
  }

  return { aChange, aChangeIn, ways };
}
