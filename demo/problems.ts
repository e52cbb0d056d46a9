import type { ProblemState } from '../contract/states.ts';
import type { ApprovalStep } from './approvals.ts';
import type { IncidentStep } from './incidents.ts';
import type { Group } from './organization.ts';

// Problems behind the demo incidents, found by the titles of their reports.

export interface DemoProblem {
  /** Start of the titles of its incidents. */
  reports: string;
  group: Group;
  /** Name of the configuration item with the fault. */
  ci?: string;
  /** Start of the title of a related change. */
  change?: string;
  /** The states that it enters, a day apart. */
  states: readonly ProblemState[];
  note: string;
  /** Text file of the note. */
  file?: { filename: string; text: string };
  fields: {
    short_description: string;
    description: string;
    priority: 'P1' | 'P2' | 'P3' | 'P4';
    root_cause?: string;
    workaround?: string;
    known_error?: boolean;
  };
}

export const demoProblems: readonly DemoProblem[] = [
  {
    reports: 'VPN drops every few minutes',
    group: 'network',
    ci: 'vpn-gateway-1',
    states: ['assessed', 'root_cause_known'],
    note: 'The vendor confirms the fault and plans a fix for the next release of the client. The trace shows it.',
    file: {
      filename: 'vpn-trace.log',
      text: [1_460, 1_420, 1_400, 1_380]
        .map((size) => `${size} bytes: ${size > 1_400 ? 'lost' : 'received'}\n`)
        .join(''),
    },
    fields: {
      short_description: 'VPN tunnels lose large packets',
      description:
        'VPN connections drop after some minutes with "peer not responding". Only some home lines are affected.',
      priority: 'P2',
      root_cause:
        'The client negotiates an MTU of 1500, but some providers drop packets above 1400 bytes in the tunnel.',
      workaround: 'Set the tunnel MTU to **1380** in the client profile, and reconnect.',
      known_error: true,
    },
  },
  {
    reports: 'Cannot connect to the VPN from home',
    group: 'network',
    ci: 'vpn-gateway-2',
    change: 'Update the VPN gateway',
    states: ['assessed', 'root_cause_known', 'fix_in_progress'],
    note: 'The next update of the gateways also doubles the pools of all sites.',
    fields: {
      short_description: 'Address pools of the VPN gateways are too small',
      description: 'On busy mornings, clients stop at "assigning an address".',
      priority: 'P2',
      root_cause: 'The pools were sized for a third of the staff, and a lease is kept for a day.',
    },
  },
  {
    reports: 'Docking station loses both screens',
    group: 'field service',
    states: ['assessed'],
    note: 'All reports are about docks of the same series.',
    fields: {
      short_description: 'Docks lose their screens with old firmware',
      description: 'Both screens of a docking station go black several times a day and come back after some seconds.',
      priority: 'P3',
      workaround: 'Update the firmware of the dock and of the laptop from the software centre, then restart.',
      known_error: true,
    },
  },
  {
    reports: 'Reports scheduled for',
    group: 'database administration',
    ci: 'reporting-db',
    change: 'Apply the quarterly patches',
    states: ['assessed', 'root_cause_known', 'fix_in_progress', 'resolved'],
    note: 'No report has timed out since the patch.',
    fields: {
      short_description: 'Reports leave transactions open',
      description: 'Scheduled reports wait for locks and are cancelled after an hour.',
      priority: 'P3',
      root_cause: 'The reporting driver does not roll back when a report is cancelled.',
      workaround: 'Terminate the oldest session of the user `reporting`.',
    },
  },
  {
    reports: 'Weak wireless signal on floor',
    group: 'network',
    ci: 'access-point-1',
    states: [],
    note: 'Next step: a survey of the channels on the affected floors.',
    fields: {
      short_description: 'Wireless network is overloaded on some floors',
      description: 'The same floors report a weak signal again and again.',
      priority: 'P3',
    },
  },
];

export type DemoStep = IncidentStep | ApprovalStep;

const isCreated = ({ action, body }: DemoStep, title: string) =>
  action === 'create' && String(body.short_description).startsWith(title);

/** The created incidents of a problem, oldest first. */
export function listProblemReports({ reports }: DemoProblem, steps: readonly DemoStep[]): IncidentStep[] {
  return steps.filter((step) => 'incident' in step).filter((step) => isCreated(step, reports));
}

/** The latest change with this title. */
export function listChanges(title: string | undefined, steps: readonly DemoStep[]): ApprovalStep[] {
  if (title === undefined) return [];
  return steps
    .filter((step) => 'record' in step)
    .filter((step) => isCreated(step, title))
    .slice(-1);
}
