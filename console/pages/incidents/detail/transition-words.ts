import type { IncidentState } from '../../../../contract/incidents.ts';

// What each change of state is called and what it asks for. A step that cannot be taken back, or that others will
// wonder about, asks before it is made; starting to work does not.

export interface TransitionWords {
  button: string;
  title: string;
  explanation: string;
  noteLabel: string;
}

export function transitionWords(from: IncidentState, to: IncidentState): TransitionWords {
  return to === 'in_progress' && from === 'on_hold' ? resume : words[to];
}

export function asksFirst(to: IncidentState): boolean {
  return to !== 'in_progress';
}

const resume: TransitionWords = {
  button: 'Resume work',
  title: 'Resume work',
  explanation: 'The SLA clock goes on.',
  noteLabel: 'Work note',
};

const words: Readonly<Record<IncidentState, TransitionWords>> = {
  new: { button: 'Set to new', title: 'Set to new', explanation: '', noteLabel: 'Work note' },
  in_progress: { button: 'Start work', title: 'Start work', explanation: '', noteLabel: 'Work note' },
  on_hold: {
    button: 'Put on hold',
    title: 'Put on hold',
    explanation: 'The SLA clock stands still until the work is resumed.',
    noteLabel: 'What are we waiting for?',
  },
  resolved: {
    button: 'Resolve',
    title: 'Resolve the incident',
    explanation: 'The SLA clock ends. The resolution helps to solve similar incidents.',
    noteLabel: 'Work note',
  },
  closed: {
    button: 'Close',
    title: 'Close the incident',
    explanation: 'A closed incident stays closed.',
    noteLabel: 'Work note',
  },
  cancelled: {
    button: 'Cancel incident',
    title: 'Cancel the incident',
    explanation: 'A cancelled incident stays cancelled.',
    noteLabel: 'Why is it cancelled?',
  },
  reopened: {
    button: 'Reopen',
    title: 'Reopen the incident',
    explanation: 'The SLA clock goes on from where it ended.',
    noteLabel: 'What is still wrong?',
  },
};
