export const account = {
  title: 'Account',
  pages: {
    profile: 'Profile and privacy',
    security: 'Sign-in',
    sessions: 'Access',
    data: 'Your data',
  },
  profile: {
    title: 'Profile',
    name: 'Name',
    displayName: 'Display name',
    phoneNumber: 'Phone number',
    saved: 'Profile saved',
  },
  privacy: {
    title: 'Privacy',
    shareUsageData: 'Share usage data with the operator of this cloud',
    receiveNotifications: 'Receive notifications',
    allowDataCollection: 'Allow apps to collect data for their improvement',
    saved: 'Privacy settings saved',
  },
  export: {
    title: 'Your data',
    description:
      'Everything that this cloud has stored about you, as one file. It is deleted after 24 hours.',
    format: 'Format',
    formats: { json: 'JSON, for programs', csv: 'CSV, for spreadsheets' },
    request: 'Prepare the file',
    list: 'Prepared files',
    item: (format: string, time: string) => `${format}, requested ${time}`,
    status: {
      pending: 'Waiting to be prepared',
      processing: 'Being prepared',
      completed: 'Ready',
      failed: 'It could not be prepared. Try again.',
    },
    download: 'Download',
  },
  deletion: {
    title: 'Delete the account',
    description: 'Deletes your account and everything that belongs to it.',
    button: 'Delete my account',
    question: 'Delete your account for good?',
    consequences: [
      'Your glasses are disconnected, and all apps stop.',
      'Your photos and recordings, settings, installed apps, reports, and what apps stored about you on this cloud are deleted.',
      'What apps stored on servers of their own is not: ask their developers.',
      'Your apps that nobody else owns are unpublished and lose their keys; organizations without other members are removed.',
      'You are signed out everywhere. A new account with the same address starts empty. This cannot be undone.',
    ],
    confirm: 'Delete everything',
  },
} as const
