// Demo schedules, policies and paging settings. Only people who can sign in are in the user pool, so they are on call.

const people = ['agent@example.com', 'manager@example.com'];

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

const weekly = {
  name: 'Weekly rotation',
  people,
  shift_length: 1,
  shift_unit: 'weeks',
  handoff_time: '09:00',
  handoff_weekday: 'monday',
};

/** The layers begin before the demo data. */
export function buildDemoSchedules(startsOn: string) {
  return [
    {
      name: 'Infrastructure',
      description: 'Network, servers and cloud platform, around the clock.',
      time_zone: 'Europe/Berlin',
      layers: [{ ...weekly, starts_on: startsOn }],
    },
    {
      name: 'Service desk',
      description: 'Daily rotation in working hours; an administrator covers the nights.',
      time_zone: 'Europe/Lisbon',
      layers: [
        {
          ...weekly,
          name: 'Working hours',
          shift_unit: 'days',
          handoff_weekday: null,
          starts_on: startsOn,
          restrictions: [{ weekdays, from: '08:00', to: '18:00' }],
        },
        {
          ...weekly,
          name: 'Nights',
          people: ['admin@example.com'],
          shift_unit: 'days',
          handoff_weekday: null,
          starts_on: startsOn,
          restrictions: [{ weekdays, from: '18:00', to: '08:00' }],
        },
      ],
    },
  ];
}

/** With the ids of the two schedules. */
export function buildDemoPolicies([infrastructure = '', desk = '']: readonly string[]) {
  const page = (type: string, id: string, wait_minutes: number) => ({ targets: [{ type, id }], wait_minutes });
  return [
    {
      name: 'Infrastructure outages',
      description: 'The person on call at once, then the manager.',
      steps: [page('schedule', infrastructure, 5), page('person', 'manager@example.com', 10)],
      repeat: 2,
    },
    {
      name: 'Service desk',
      description: null,
      steps: [page('schedule', desk, 15), page('schedule', infrastructure, 15)],
      repeat: 1,
    },
  ];
}

/** Groups that page, with the place of their policy. */
export const demoPaging = { network: 0, 'cloud platform': 0, 'service desk': 1 } as const;
