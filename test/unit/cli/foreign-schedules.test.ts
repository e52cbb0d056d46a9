import { convertSchedules } from '../../../cli/foreign-schedules.ts';

describe('schedules of PagerDuty', () => {
  const layer = {
    name: 'Nights',
    rotation_virtual_start: '2026-03-02T18:00:00+01:00',
    rotation_turn_length_seconds: 604_800,
    end: null,
    users: [{ user: { id: 'P1', summary: 'Ana' } }, { user: { id: 'P9', summary: 'Gone' } }],
    restrictions: [
      { type: 'daily_restriction', start_time_of_day: '18:00:00', duration_seconds: 50_400 },
      { type: 'weekly_restriction', start_day_of_week: 6, start_time_of_day: '08:00:00', duration_seconds: 172_800 },
    ],
  };
  const document = {
    schedules: [{ id: 'S1', name: 'Network', time_zone: 'Europe/Berlin', schedule_layers: [layer] }],
    escalation_policies: [
      {
        id: 'E1',
        name: 'Outages',
        num_loops: 12,
        escalation_rules: [
          { escalation_delay_in_minutes: 5, targets: [{ id: 'S1', type: 'schedule_reference' }] },
          { escalation_delay_in_minutes: 180, targets: [{ id: 'P1', type: 'user_reference' }] },
        ],
      },
    ],
    users: [{ id: 'P1', email: 'Ana@example.com' }],
    services: [{}],
  };

  it('become layers in local time, and list everything without a counterpart', () => {
    const { schedules, policies, notes } = convertSchedules(document);
    expect(schedules).toEqual([
      {
        keys: ['S1'],
        body: {
          name: 'Network',
          time_zone: 'Europe/Berlin',
          layers: [
            {
              name: 'Nights',
              people: ['ana@example.com'],
              shift_length: 1,
              shift_unit: 'weeks',
              handoff_time: '18:00',
              handoff_weekday: 'monday',
              starts_on: '2026-03-02',
              ends_on: null,
              restrictions: [
                {
                  weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
                  from: '18:00',
                  to: '08:00',
                },
                { weekdays: ['saturday'], from: '08:00', to: '00:00' },
                { weekdays: ['sunday'], from: '00:00', to: '00:00' },
                { weekdays: ['monday'], from: '00:00', to: '08:00' },
              ],
            },
          ],
        },
      },
    ]);
    expect(policies).toEqual([
      {
        name: 'Outages',
        repeat: 9,
        steps: [
          { targets: [{ type: 'schedule', id: 'S1' }], wait_minutes: 5 },
          { targets: [{ type: 'person', id: 'ana@example.com' }], wait_minutes: 120 },
        ],
      },
    ]);
    expect(notes).toEqual([
      '"services" is not imported.',
      'Network, Nights: Gone has no email address in "users" and is left out.',
      'Outages: a wait of 180 minutes becomes 120 minutes.',
      'Outages: 9 instead of 12 repetitions.',
    ]);
  });
});

describe('schedules of Opsgenie', () => {
  it('become layers, and delays from the alert become waits between steps', () => {
    const { schedules, policies, notes } = convertSchedules({
      schedules: [
        {
          id: 'a-1',
          name: 'Network',
          timezone: 'UTC',
          enabled: true,
          rotations: [
            {
              name: 'Days',
              type: 'daily',
              length: 2,
              startDate: '2026-03-02T08:00:00Z',
              participants: [
                { type: 'user', username: 'ana@example.com' },
                { type: 'team', name: 'Ops' },
              ],
              timeRestriction: {
                type: 'weekday-and-time-of-day',
                restrictions: [
                  { startDay: 'monday', startHour: 8, startMin: 0, endDay: 'tuesday', endHour: 8, endMin: 30 },
                ],
              },
            },
          ],
        },
      ],
      escalations: [
        {
          name: 'Outages',
          rules: [
            { delay: { timeAmount: 0 }, recipient: { type: 'schedule', name: 'Network' } },
            { delay: { timeAmount: 10 }, recipient: { type: 'user', username: 'ben@example.com' } },
          ],
          repeat: { count: 2 },
        },
      ],
    });
    expect(schedules[0]).toMatchObject({
      keys: ['a-1', 'Network'],
      body: {
        layers: [
          {
            shift_length: 2,
            shift_unit: 'days',
            handoff_time: '08:00',
            handoff_weekday: null,
            restrictions: [
              { weekdays: ['monday'], from: '08:00', to: '00:00' },
              { weekdays: ['tuesday'], from: '00:00', to: '08:30' },
            ],
          },
        ],
      },
    });
    expect(policies).toEqual([
      {
        name: 'Outages',
        repeat: 2,
        steps: [
          { targets: [{ type: 'schedule', id: 'Network' }], wait_minutes: 10 },
          { targets: [{ type: 'person', id: 'ben@example.com' }], wait_minutes: 10 },
        ],
      },
    ]);
    expect(notes).toEqual(['Network, Days: the participant Ops is not a person and is left out.']);
  });
});
