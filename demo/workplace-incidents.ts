import type { IncidentTemplate } from './infrastructure-incidents.ts';

export const workplaceIncidents: readonly IncidentTemplate[] = [
  {
    category: 'email',
    subcategory: 'delivery',
    group: 'messaging',
    weight: 8,
    priorities: [
      ['P1', 1],
      ['P2', 3],
      ['P3', 6],
    ],
    cis: ['mail-relay-1', 'mail-relay-2'],
    waiting: 'Requested removal from the block list; we expect a reply within a day.',
    reports: [
      {
        title: 'Mail to external addresses is delayed',
        description: 'Messages sent since {n} o’clock have not arrived. Internal mail works fine.',
        finding:
          '{n}00 messages are waiting in the outbound queue, because the relay was blocklisted after an account was compromised.',
        resolution: 'Locked the compromised account, had the relay removed from the block list and drained the queue.',
      },
      {
        title: 'Messages from {site} end up in quarantine',
        description: '{n} invoices of today are in quarantine. Other messages arrive.',
        finding: 'A new filter rule matches the word "payment" in attachments.',
        resolution: 'A new filter rule had caught invoices. Corrected the rule and released the messages.',
      },
    ],
  },
  {
    category: 'email',
    subcategory: 'mailbox',
    group: 'messaging',
    weight: 7,
    priorities: [
      ['P3', 5],
      ['P4', 5],
    ],
    cis: ['mailbox-1'],
    waiting: 'Waiting for the owner to confirm who needs access.',
    reports: [
      {
        title: 'Mailbox is full',
        description: 'Outlook says that the mailbox has reached its size limit, and I cannot send anything.',
        finding: 'Deleted items take up most of the space.',
        resolution: 'Raised the limit to {n}0 GB and turned on archiving.',
      },
      {
        title: 'Cannot open the shared mailbox for {site}',
        description: 'Outlook says that I have no permission. Last week it still opened.',
        finding: 'The team’s group lost its permission because the owner of the mailbox changed.',
        resolution: 'Restored the team’s access after the owner approved it.',
      },
    ],
  },
  {
    category: 'access',
    subcategory: 'account',
    group: 'identity and access',
    weight: 14,
    priorities: [
      ['P2', 1],
      ['P3', 6],
      ['P4', 3],
    ],
    cis: ['directory-1', 'Single sign-on'],
    waiting: 'Waiting for the manager’s approval.',
    reports: [
      {
        title: 'Account is locked',
        description: 'The sign-in page says that my account is not available. It worked yesterday.',
        finding: 'The account is locked because an old tablet keeps trying the previous password.',
        resolution: 'Removed the saved password from the tablet and unlocked the account.',
      },
      {
        title: 'Cannot sign in after changing the password',
        description: 'I changed my password {n} hours ago. The new one is rejected, the old one too.',
        finding: 'The new password never reached the second directory server, because its replication had stopped.',
        resolution: 'Restarted the replication of the directory. The new password works everywhere.',
      },
      {
        title: 'Lost my second factor with my old phone',
        description: 'I have a new phone, and the sign-in asks for a code of the old one.',
        finding: 'Confirmed the caller’s identity in a video call.',
        resolution: 'Registered the new phone as the second factor and revoked the old one.',
      },
    ],
  },
  {
    category: 'access',
    subcategory: 'permissions',
    group: 'identity and access',
    weight: 8,
    priorities: [
      ['P3', 4],
      ['P4', 6],
    ],
    cis: ['file-server-1'],
    waiting: 'Waiting for the data owner’s approval.',
    reports: [
      {
        title: 'No access to the finance share',
        description: 'The folder is visible but does not open. Others on the same team can open it.',
        finding: 'The group membership was not updated after the move to the new team.',
        resolution: 'Added the user to the team’s group. Access works after the next sign-in.',
      },
      {
        title: 'New colleague in {site} cannot see the project folders',
        description: 'She started {n} days ago. The drive is there, but empty.',
        finding: 'The request for the project group was never approved.',
        resolution: 'Had the request approved and added the colleague to the project group.',
      },
    ],
  },
  {
    category: 'hardware',
    subcategory: 'laptop',
    group: 'field service',
    weight: 10,
    priorities: [
      ['P3', 5],
      ['P4', 5],
    ],
    cis: ['laptop-pool-1', 'laptop-pool-2', 'laptop-pool-3', 'laptop-pool-4'],
    waiting: 'Ordered a spare part; delivery in {n} days.',
    reports: [
      {
        title: 'Laptop does not start',
        description: 'I tried another charger and held the power button for 30 seconds. No change.',
        finding: 'The diagnostics report a memory error.',
        resolution: 'Replaced the laptop and moved the data. The old one was sent for repair.',
      },
      {
        title: 'Laptop battery lasts only {n} minutes',
        description: 'It is charged over night and switches off in the first meeting.',
        finding: 'The battery has 30% of its capacity left.',
        resolution: 'Replaced the battery under warranty.',
      },
      {
        title: 'Docking station loses both screens',
        description: 'Both screens go black several times a day and come back after {n} seconds.',
        finding: 'The firmware of the dock is two years old.',
        resolution: 'Updated the firmware of the dock and the laptop. Both screens stay on.',
      },
    ],
  },
  {
    category: 'hardware',
    subcategory: 'printer',
    group: 'field service',
    weight: 8,
    priorities: [
      ['P3', 2],
      ['P4', 8],
    ],
    cis: ['printer-1', 'printer-2', 'printer-3'],
    waiting: 'The service partner will come on Thursday.',
    reports: [
      {
        title: 'Printer on floor {n} keeps jamming',
        description: 'It happens on every other page. We have already changed the paper.',
        finding: 'The pickup rollers are worn.',
        resolution: 'Replaced the rollers and adjusted the tray.',
      },
      {
        title: 'Printer in {site} prints blank pages',
        description: 'The pages come out white. The display says that there is toner.',
        finding: 'The drum is at the end of its life.',
        resolution: 'Replaced the drum unit and printed a test page.',
      },
      {
        title: 'Scan to mail is not working',
        description: 'The device says "sent", but no scan arrives.',
        finding: 'The device still uses the old mail relay.',
        resolution: 'Pointed the device to the new relay and tested a scan.',
      },
    ],
  },
  {
    category: 'software',
    subcategory: 'erp',
    group: 'business applications',
    weight: 9,
    priorities: [
      ['P1', 1],
      ['P2', 3],
      ['P3', 5],
    ],
    cis: ['ERP', 'erp-app-1'],
    waiting: 'Waiting for finance to decide which period to open.',
    reports: [
      {
        title: 'Cannot post invoices',
        description: 'Saving fails with "the period is not open". All users of the company code are affected.',
        finding: 'The new period was opened for one company code only.',
        resolution: 'Opened the period for all company codes and added the step to the month-end checklist.',
      },
      {
        title: 'ERP shows error {n}0{n} when saving an order',
        description: 'The error appears only for orders of new customers.',
        finding: 'A custom check fails because their tax code is empty.',
        resolution: 'Fixed the custom check and moved it to production. The key user confirmed the fix.',
      },
      {
        title: 'Goods receipt in {site} hangs',
        description: 'The scanner waits for an answer after every pallet. {n} lorries are waiting.',
        finding: 'The interface job waits for a lock that a cancelled posting left behind.',
        resolution: 'Removed the old lock and restarted the interface job. The receipts of the day were posted.',
      },
    ],
  },
  {
    category: 'software',
    subcategory: 'collaboration',
    group: 'service desk',
    weight: 9,
    priorities: [
      ['P3', 5],
      ['P4', 5],
    ],
    cis: ['Team chat'],
    waiting: 'Waiting for the caller to try the new version.',
    reports: [
      {
        title: 'No sound in video calls',
        description: 'It started with last week’s client update. It works in the browser.',
        finding: 'The update reset the audio device.',
        resolution: 'Selected the headset again and turned off exclusive mode.',
      },
      {
        title: 'Meetings appear twice in the calendar',
        description: 'Every meeting of the last {n} weeks is there two times, on the phone and in Outlook.',
        finding: 'The phone synchronizes the calendar with two accounts.',
        resolution: 'Removed the second account from the phone and deleted the copies.',
      },
      {
        title: 'Screen sharing stays black',
        description: 'The others see a black window. My camera works.',
        finding: 'Hardware acceleration causes the problem with this graphics driver.',
        resolution: 'Turned off hardware acceleration by policy until the vendor ships a fix.',
      },
    ],
  },
  {
    category: 'security',
    subcategory: 'phishing',
    group: 'security',
    weight: 6,
    priorities: [
      ['P1', 1],
      ['P2', 5],
      ['P3', 3],
    ],
    cis: ['mail-filter'],
    waiting: 'Asked the hosting provider to take the page down.',
    reports: [
      {
        title: 'Suspicious email asks for payment details',
        description:
          'The sender looks like our own finance department. {n} colleagues in {site} received the same message.',
        finding: 'The message was sent from a domain that was registered yesterday. Nobody answered it.',
        resolution: 'Nobody entered credentials. Removed the message from all mailboxes.',
      },
      {
        title: 'Clicked a link in a fake delivery notice',
        description:
          'The page asked for my password, and I entered it. {n} colleagues in {site} have the same message.',
        finding: 'The link leads to a copy of our sign-in page. Two people entered their password.',
        resolution:
          'Reset the passwords, ended all sessions, blocked the sender and the link, and removed the message from all mailboxes.',
      },
    ],
  },
  {
    category: 'security',
    subcategory: 'malware',
    group: 'security',
    weight: 2,
    priorities: [
      ['P1', 3],
      ['P2', 3],
    ],
    cis: ['endpoint-protection-1', 'endpoint-protection-2'],
    waiting: 'Taking a forensic image of the disk.',
    reports: [
      {
        title: 'Endpoint protection found malware on a laptop in {site}',
        description: 'The agent isolated the device. The user was working on a customer file.',
        finding:
          'The malware arrived in an archive from a private mailbox. The logs show no lateral movement to other devices.',
        resolution:
          'Reinstalled the device, restored the files from backup and added the indicators to the block list.',
      },
      {
        title: 'Unknown process is encrypting files on a share',
        description: 'Files on the share get a new ending, {n} per second. They cannot be opened.',
        finding: 'The process runs on one laptop with the rights of its user.',
        resolution: 'Disconnected the laptop, restored the share from the last snapshot and reinstalled the laptop.',
      },
    ],
  },
];
