// Demo users. agent@example.com and manager@example.com can sign in.
export const groups = {
  'service desk': ['agent@example.com', 'nadia.brandt@example.com', 'tom.okafor@example.com'],
  network: ['priya.raman@example.com', 'jonas.lind@example.com'],
  messaging: ['elena.petrova@example.com', 'agent@example.com'],
  'database administration': ['hiro.tanaka@example.com', 'sofia.marino@example.com'],
  'identity and access': ['manager@example.com', 'lucas.meyer@example.com'],
  'field service': ['ben.carter@example.com', 'aisha.farouk@example.com'],
  'business applications': ['clara.dubois@example.com', 'mateo.silva@example.com'],
  'cloud platform': ['ingrid.solberg@example.com', 'dev.kapoor@example.com'],
  security: ['ruth.abebe@example.com', 'manager@example.com'],
} as const;

export type Group = keyof typeof groups;

export const reporters = [
  'anna.weiss@example.com',
  'carlos.ortega@example.com',
  'emma.johansson@example.com',
  'felix.huber@example.com',
  'grace.mensah@example.com',
  'henry.walsh@example.com',
  'isabel.costa@example.com',
  'jack.morris@example.com',
  'karin.novak@example.com',
  'liam.byrne@example.com',
  'mei.chen@example.com',
  'noah.fischer@example.com',
  'olga.ivanova@example.com',
  'paul.lambert@example.com',
  'rosa.delgado@example.com',
  'samir.haddad@example.com',
];

export const sites = ['Berlin', 'Lisbon', 'Oslo', 'Dublin', 'Lyon', 'Vienna', 'Porto', 'Leeds'];
