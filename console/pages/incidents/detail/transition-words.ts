import type { IncidentState } from '../../../../contract/states.ts';

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
  explanation: 'The SLA clock resumes.',
  noteLabel: 'Work note',
};

const words: Readonly<Record<IncidentState, TransitionWords>> = {
  new: { button: 'Set to new', title: 'Set to new', explanation: '', noteLabel: 'Work note' },
  in_progress: { button: 'Start work', title: 'Start work', explanation: '', noteLabel: 'Work note' },
  on_hold: {
    button: 'Put on hold',
    title: 'Put on hold',
    explanation: 'The SLA clock is paused until work resumes.',
    noteLabel: 'What are we waiting for?',
  },
  resolved: {
    button: 'Resolve',
    title: 'Resolve incident',
    explanation: 'This stops the SLA clock. The resolution is used to suggest fixes for similar incidents.',
    noteLabel: 'Work note',
  },
  closed: {
    button: 'Close',
    title: 'Close incident',
    explanation: 'A closed incident cannot be reopened.',
    noteLabel: 'Work note',
  },
  cancelled: {
    button: 'Cancel incident',
    title: 'Cancel incident',
    explanation: 'A cancelled incident cannot be reopened.',
    noteLabel: 'Why is it cancelled?',
  },
  reopened: {
    button: 'Reopen',
    title: 'Reopen incident',
    explanation: 'The SLA clock continues from where it stopped.',
    noteLabel: 'Why is it reopened?',
  },
};
