/** The texts of the page about the ways to sign in. */
export const passwordTexts = {
  title: 'Password',
  hint: 'Changing it signs you out everywhere else.',
  current: 'Current password',
  new: 'New password',
  revokeTokens: 'Revoke my personal access tokens',
  submit: 'Change the password',
  changed: 'Password changed',
  none: 'You sign in without a password. A link that is sent to your address sets one.',
  set: 'Set a password',
} as const

export const secondFactorTexts = {
  title: 'Second factor',
  description:
    'A code of an authenticator app, required together with your password, so that the password alone is worth nothing.',
  noPassword: 'It protects the sign-in with a password, which you do not have.',
  on: 'On',
  off: 'Off',
  setUp: {
    open: 'Set up',
    hint: 'Scan this with your authenticator app, then enter the code that it shows.',
    picture: 'QR code for the authenticator app',
    key: 'Or enter this key in the app',
    code: 'Code',
    submit: 'Turn on',
  },
  turnOff: 'Turn off',
  turnedOff: 'Codes are no longer required',
  newCodes: 'New backup codes',
  password: 'Your password',
  proceed: 'Continue',
  backupCodes: {
    title: 'Backup codes',
    hint: 'Each replaces a code of the app once. Keep them where you find them without your phone. They are not shown again.',
    kept: 'I have kept them',
  },
} as const

export const passkeyTexts = {
  title: 'Passkeys',
  description: 'Sign in with your fingerprint, face or PIN, without password and code.',
  none: 'You have no passkeys yet.',
  details: (created: string, used: string | undefined) =>
    used === undefined ? `Added ${created}, never used` : `Added ${created}, last used ${used}`,
  unavailable: 'This browser has no passkeys at this address. They need https, or http://localhost.',
  name: 'Name',
  add: 'Add a passkey',
  nameHint: 'Where it is, such as “Work laptop”.',
  added: 'Passkey added',
  failures: {
    canceled: 'No passkey was added. Try again.',
    exists: 'This device has a passkey for your account already.',
  },
  rename: 'Rename',
  renameLabel: (name: string) => `Rename ${name}`,
  renamed: 'Passkey renamed',
  save: 'Save',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removeQuestion: (name: string) => `Remove the passkey “${name}”?`,
  removeConsequence: 'It no longer signs you in. Delete it on your device as well.',
  removed: 'Passkey removed',
} as const

export const linkedAccountTexts = {
  title: 'Linked accounts',
  description: 'Accounts elsewhere with which you can sign in here.',
  linked: (time: string) => `Linked ${time}`,
  notLinked: 'Not linked',
  link: 'Link',
  linkLabel: (label: string) => `Link ${label}`,
  unlink: 'Unlink',
  unlinkLabel: (label: string) => `Unlink ${label}`,
  unlinkQuestion: (label: string) => `Unlink ${label}?`,
  unlinkConsequence: 'You can no longer sign in with it. Your account here stays.',
  unlinked: (label: string) => `${label} is unlinked`,
} as const
