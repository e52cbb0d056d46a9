import { Status, type StatusType, type Tone } from '../ui/kit/index.ts';

type Look = [StatusType, Tone?];

const looks: Readonly<Record<string, Look>> = {
  draft: ['not-started', 'grey'],
  new: ['pending', 'blue'],
  assessed: ['in-progress', 'blue'],
  root_cause_known: ['in-progress', 'blue'],
  fix_in_progress: ['in-progress', 'blue'],
  resolved: ['success'],
  closed: ['success', 'grey'],
  submitted: ['pending', 'blue'],
  pending: ['pending', 'blue'],
  approved: ['success'],
  rejected: ['error'],
  implementing: ['in-progress', 'blue'],
  completed: ['success', 'grey'],
  fulfilled: ['success', 'grey'],
  applied: ['success'],
  failed: ['error'],
  cancelled: ['not-started', 'grey'],
};

/** The state of a record that needs approval. */
export function ApprovalState({ state, names }: { state: string; names: Readonly<Record<string, string>> }) {
  const [type, color] = looks[state] ?? ['info'];
  return (
    <Status unbroken type={type} tone={color}>
      {names[state] ?? state}
    </Status>
  );
}
