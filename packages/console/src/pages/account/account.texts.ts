/** The texts of the pages about the account. */
export const accountTexts = {
  title: 'Account',
  pages: { profile: 'Profile and privacy', security: 'Sign-in', access: 'Access', data: 'Your data' },
  signInAgain: 'Sign in again',
} as const

export const profileTexts = {
  title: 'Profile',
  name: 'Name',
  displayName: 'Display name',
  phoneNumber: 'Phone number',
  submit: 'Save',
  saved: 'Profile saved',
} as const

export const privacyTexts = {
  title: 'Privacy',
  settings: {
    shareUsageData: 'Share usage data with the operator of this cloud',
    receiveNotifications: 'Receive notifications',
    allowDataCollection: 'Allow apps to collect data for their improvement',
  },
  saved: 'Privacy settings saved',
} as const

export const exportTexts = {
  title: 'Your data',
  description: 'Everything that this cloud has stored about you, as one file. It is deleted after 24 hours.',
  format: 'Format',
  formats: { json: 'JSON, for programs', csv: 'CSV, for spreadsheets' },
  submit: 'Prepare the file',
  list: 'Prepared files',
  requested: (format: string, time: string) => `${format}, requested ${time}`,
  status: {
    pending: 'Waiting to be prepared',
    processing: 'Being prepared',
    completed: 'Ready',
    failed: 'It could not be prepared. Try again.',
  },
  download: 'Download',
} as const

export const deletionTexts = {
  title: 'Delete the account',
  description: 'Deletes your account and everything that belongs to it.',
  lastAdministrator: {
    title: 'You are the last administrator of this cloud',
    text: 'Make another user an administrator before you delete your account.',
    link: 'Go to the users',
  },
  open: 'Delete my account',
  question: 'Delete your account for good?',
  consequences: [
    'Your glasses are disconnected, and all apps stop.',
    'Your photos and recordings, settings, installed apps, reports, and what apps stored about you on this cloud are deleted.',
    'What apps stored on servers of their own is not: ask their developers.',
    'Your apps that nobody else owns are unpublished and lose their keys; organizations without other members are removed.',
    'You are signed out everywhere. A new account with the same address starts empty. This cannot be undone.',
  ],
  signInFirst: {
    title: 'Sign in again first',
    text: 'You signed in more than an hour ago. A new sign-in shows that it is you, and leads back here.',
    signIn: 'Sign in again',
  },
  address: (email: string) => `Type ${email} to confirm`,
  wrongAddress: 'This is not the address of your account',
  submit: 'Delete everything',
  done: 'Your account is deleted',
  cancel: 'Cancel',
} as const
