// A demo calendar and two policies. Incidents keep the default targets.

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

export const demoCalendar = {
  name: 'Office hours Berlin',
  time_zone: 'Europe/Berlin',
  hours: [{ weekdays, from: '09:00', to: '17:00' }],
  holidays: [
    { date: '2026-12-25', name: 'Christmas', yearly: true },
    { date: '2026-01-01', name: 'New Year', yearly: true },
  ],
};

export function buildDemoLevels(calendar_id: string) {
  return [
    {
      name: 'Service requests',
      description: 'Five working days, without the time that a request waits for approval.',
      kind: 'request',
      resolve_minutes: 2_400,
      calendar_id,
      pause_states: ['submitted'],
    },
    { name: 'Emergency changes', kind: 'change', category: 'emergency', resolve_minutes: 1_440 },
  ];
}
