/** Texts of the frame of the pages for administrators. */
export const frameTexts = {
  title: 'Administration',
  users: 'Users',
  review: 'Review',
  sessions: 'Live sessions',
  health: 'Health',
  speechModels: 'Speech models',
  reports: 'Reports',
  audit: 'Audit log',
  settings: 'Settings',
  invitations: 'Invitations',
} as const
