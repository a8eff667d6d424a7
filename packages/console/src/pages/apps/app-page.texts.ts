/** Texts of the page of an app. */
export const appPageTexts = {
  store: 'Apps',
  openGlasses: 'Open glasses',
  offline: {
    title: 'The server of the app does not answer at the moment',
    text: 'It may not start. Its developer has to bring the server back.',
  },
  about: 'About',
  screenshots: 'Screenshots',
  screenshot: (number: number, name: string) => `Screenshot ${number} of ${name}`,
  permissions: {
    title: 'Permissions',
    description: 'What the app may use while it runs on your glasses.',
    none: 'This app needs no permissions.',
    reason: (text: string) => `“${text}”`,
  },
  hardware: {
    title: 'Hardware',
    any: 'Works with any glasses.',
    missing: 'Missing on your glasses',
    required: 'Required',
  },
  developer: { title: 'Developer', website: 'Website', contact: 'Contact:' },
} as const
